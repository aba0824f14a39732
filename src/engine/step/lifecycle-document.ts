import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { VersionedDocument } from '../../platform/storage/versioned-document.ts'
import { decodeLifecycle, type Lifecycle } from '../decide/lifecycle.ts'

/** The lifecycle document of a workspace. */
export function lifecycleDocument(workspace: string): VersionedDocument<Lifecycle> {
  return new VersionedDocument({
    file: workspaceLayout(workspace).lifecycle,
    versionField: 'version',
    decode: decodeLifecycle,
    handEdits: 'refuse',
  })
}
