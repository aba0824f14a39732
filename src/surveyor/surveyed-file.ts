import type { Role } from './classify.ts'
import type { FileFacts } from './facts.ts'
import type { Language } from './languages/language.ts'

export interface SurveyedFile {
  path: string
  role: Role
  /** As people name it; `Other` where the path does not say. */
  languageName: string
  language?: Language
  facts: FileFacts
}

/** Code of the project itself, no test and no example. */
export const isSourceCode = ({ role, facts }: SurveyedFile): boolean =>
  role === 'source' && facts.code !== undefined
