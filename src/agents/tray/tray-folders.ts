import path from 'node:path'
import { type Folder } from '../../platform/storage/open-folder.ts'
import { named, openFolder } from '../../platform/storage/held-folders.ts'
import { trayName } from '../../protocol/tray.ts'

/** The two ends of a session's tray, held open. */
export interface TrayFolders {
  readonly tray: Folder
  readonly answers: Folder
  close(): void
  /** Removes both with what they hold. */
  remove(): void
}

/** Opens both ends of a session's tray, and makes them where there are none. */
export function openTray(workspace: string, session: { mission: number; number: number }): TrayFolders {
  const held: Folder[] = []
  const open = (folder: Folder) => {
    held.push(folder)
    return folder
  }
  const close = () => held.splice(0).forEach((folder) => folder.close())
  try {
    const fed = open(openFolder(path.join(workspace, '.fed')))
    const name = trayName(session)
    const both = [open(fed.make('tray')), open(fed.make('answers'))] as const
    const [tray, answers] = [open(both[0].make(name)), open(both[1].make(name))]
    const remove = () => both.forEach((folder) => folder.remove(name))
    return { tray, answers, close, remove }
  } catch (error) {
    const told = held.reduce<unknown>(named, error)
    close()
    throw told
  }
}
