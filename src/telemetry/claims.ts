import { v4 as uuid } from 'uuid'
import { presentMs } from '../protocol/clock.ts'
import { backOff, type VersionedDocument } from '../platform/storage/versioned-document.ts'
import { ledgerDocument, type Ledger, type LedgerDraft, type SpanRecord } from './telemetry-ledger.ts'
import { look, type Observed } from './look-for-news.ts'

/** A claim is older only when its process died: nobody takes so long to tell, in milliseconds. */
const claimMs = 30_000

/** So many spans are left at most, so that reading never stops for spans that nobody ever takes. */
const mostLeft = 500

interface Terms {
  /** On `performance.now()`'s clock; after it nothing is taken. */
  readonly until: number
  /** Longest that it reads, in milliseconds; what is left is read the next time. */
  readonly readMs: number
  /** Whether they are taken, left to whoever takes them, or wanted by nobody. */
  readonly spans: 'take' | 'leave' | 'drop'
}

interface News {
  readonly ledger: LedgerDraft
  /** What to settle once it is known whether the spans were told. */
  readonly claim: string
  readonly spans: readonly SpanRecord[]
}

/** The ledger of a federation as one process uses it: whoever commits what it read has its spans, and nobody else. */
export class Claims {
  readonly #observed: Observed
  readonly #document: VersionedDocument<Ledger>

  constructor(observed: Observed) {
    this.#observed = observed
    this.#document = ledgerDocument(observed.root)
  }

  /** What was committed last, whoever did. */
  committed(): LedgerDraft | undefined {
    return this.#document.read()?.content
  }

  /**
   * Commits what is new in the federation's files and takes the spans, so that no other process tells them too.
   * @param isDue also where nothing is new.
   * @returns undefined where there is nothing to tell, or no time.
   * @throws {CorruptDocumentError} when the ledger is damaged; {NewerFormatError}; the file system's error.
   */
  take({ until, readMs, spans: what }: Terms, isDue: boolean): News | undefined {
    for (let attempt = 0; performance.now() < until; attempt += 1) {
      const head = this.#document.read()
      const readUntil = Math.min(until, performance.now() + readMs)
      const { ledger, hasNews } = look(head?.content, this.#observed, () => performance.now() < readUntil)
      const at = new Date(Math.max(presentMs(), Date.parse(ledger.at) + 1)).toISOString()
      const { spans, claims } = returned(ledger, Date.parse(at))
      if (!hasNews && !isDue && (what === 'leave' || spans.length === 0)) return undefined
      const wanted = what === 'take' ? spans : []
      const claim = uuid()
      const taken = wanted.length === 0 ? [] : [{ id: claim, at, spans: wanted }]
      const left = what === 'leave' ? spans.slice(-mostLeft) : []
      const next: LedgerDraft = { ...ledger, at, spans: left, claims: [...claims, ...taken] }
      const committed = this.#document.commit(head, next as Ledger)
      if (committed !== undefined) return { ledger: committed.content, claim, spans: wanted }
      backOff(attempt)
    }
    return undefined
  }

  /** Ends a claim: its spans were told, or wait for the next one. */
  settle(claim: string, isDone: boolean): void {
    this.#document.update((present) => {
      const mine = present?.claims.find(({ id }) => id === claim)
      // somebody took it over, because this process was stopped for long
      if (present === undefined || mine === undefined) return undefined
      const claims = present.claims.filter(({ id }) => id !== claim)
      const spans = isDone ? present.spans : [...mine.spans, ...present.spans]
      return { ...present, claims, spans }
    })
  }
}

/** The spans that wait, with those of processes that died before they said whether theirs were told. */
function returned({ spans, claims }: LedgerDraft, present: number): Pick<LedgerDraft, 'spans' | 'claims'> {
  const isOld = ({ at }: { at: string }) => Math.abs(present - Date.parse(at)) > claimMs
  const back: SpanRecord[] = claims.filter(isOld).flatMap((claim) => claim.spans)
  return { spans: [...back, ...spans], claims: claims.filter((claim) => !isOld(claim)) }
}
