import path from 'node:path'

/** Whether a deliverable is JSON by its name; then it has no standards but its schema. */
export function isJsonFile(file: string): boolean {
  return path.extname(file).toLowerCase() === '.json'
}
