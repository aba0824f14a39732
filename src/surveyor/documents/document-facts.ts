/** Something of the repository that a document names: `line` counts from 1. */
export type Mention =
  /** A path in a code span, a shell command or a picture of folders, `picture` being the line where that begins. */
  | { kind: 'path'; line: number; text: string; picture?: number }
  /** The name of a file of code, without its folder. */
  | { kind: 'file'; line: number; text: string }
  /** The target of a relative link or image, with its anchor. */
  | { kind: 'link'; line: number; text: string }
  /** `Owner.member`, or `name()` that a sentence places in a file. */
  | { kind: 'member'; line: number; text: string; owner: string; member: string }
  | { kind: 'placed'; line: number; text: string; name: string; file: string }
  /** A script or target of a build tool; `own` where the text speaks of work on the project itself. */
  | { kind: 'command'; line: number; text: string; tool: CommandTool; name: string; own: boolean }

export type CommandTool =
  'npm' | 'make' | 'cargo bin' | 'cargo example' | 'cargo test' | 'cargo bench' | 'cargo package'

/** What a document holds for those who check it. */
export interface DocumentFacts {
  mentions: Mention[]
  /** What a link into it may name, as letters and digits alone; none where other files are put into it. */
  anchors?: string[]
  /** It says of itself that it is past, planned or about another project: it is not checked. */
  aside?: true
}
