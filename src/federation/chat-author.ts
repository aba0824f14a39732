import path from 'node:path'
import * as z from 'zod/mini'
import { CorruptDocumentError } from '../errors/document-errors.ts'
import { unless } from '../errors/unless.ts'
import { federationLayout } from '../protocol/folder-layout.ts'
import { ownFormat } from '../protocol/own-format.ts'
import { createOnce, disk, makeDirectory } from '../platform/storage/disk.ts'
import { readSmallDocument } from './small-document.ts'

const format = ownFormat('fed-chat-author-1', z.strictObject({ sender: z.string() }))

function fileOf(root: string, signal: string): string {
  return path.join(federationLayout(root).chat, 'authors', `${signal}.json`)
}

/**
 * Notes who said in the chat what a signal of `meta` passes on: durable, and before the signal is sent, so that
 * nobody's words are taken for those of the person at the federation.
 */
export function noteChatAuthor(root: string, signal: string, sender: string): void {
  const file = fileOf(root, signal)
  makeDirectory(path.dirname(file))
  createOnce(file, format.textOf({ sender }))
  disk.syncDirectory(path.dirname(file))
}

/**
 * Who said in the chat what a signal passes on; undefined where it came by another way. Of a damaged note it is known
 * that somebody did, and no more.
 * @throws {NewerFormatError}
 */
export function chatAuthorOf(root: string, signal: string): string | undefined {
  const file = fileOf(root, signal)
  const noted = unless(CorruptDocumentError, () => readSmallDocument(file, format, { followLinks: false }))
  return noted?.sender ?? (disk.exists(file) ? 'somebody' : undefined)
}

/** Whether a sender is one of a list of `allowedSenders`. */
export function isListed(sender: string, allowed: readonly string[]): boolean {
  const plain = (name: string) => name.trim().toLowerCase()
  return allowed.some((name) => plain(name) === plain(sender))
}
