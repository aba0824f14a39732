import * as mail from './mail-requests.ts'
import type { Request } from './request.ts'
import * as team from './team-requests.ts'

/** Everything that an agent can ask of fed, by its name. */
export const allRequests: ReadonlyMap<string, Request> = new Map(
  // what a request answers is its caller's to know
  (Object.values({ ...mail, ...team }) as unknown as Request[]).map((request) => [request.name, request]),
)
