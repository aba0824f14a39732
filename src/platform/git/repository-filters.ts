import { gitOrNothing } from './git.ts'
import { placeOf } from './repository-place.ts'
import { allowFilters, notAllowed, repositoryFilters, type RepositoryFilter } from './strange-filters.ts'

/** The filters that the configuration of a root's repository names; a person's own are none of them. */
export function filtersOf(root: string): readonly RepositoryFilter[] {
  const place = placeOf(root, 'config')
  return place === undefined ? [] : repositoryFilters(place, (...asked) => gitOrNothing(root, ...asked))
}

/** Names of those that fed's git does not run, because nobody allowed them as they are. */
export function idleFiltersOf(root: string): string[] {
  const place = placeOf(root, 'config')
  return place === undefined ? [] : notAllowed(place, filtersOf(root)).map(({ name }) => name)
}

/** Allows these filters and no other. @throws the file system's error. */
export function allowFiltersOf(root: string, filters: readonly RepositoryFilter[]): void {
  const place = placeOf(root, 'config')
  if (place !== undefined) allowFilters(place, filters)
}
