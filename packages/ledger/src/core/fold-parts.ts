import type { FoldInput, InterruptedCall, RejectedLine } from '../inputs.ts'
import type { ScarceAccount, TakenQuota } from '../results.ts'
import type { Alarm, Decision } from './command.ts'
import type { JournalRange, PositionedEnd, RangeContent } from './journal-range.ts'
import type { FoldReply, Reply } from './storage.ts'

type Item =
  | ({ readonly type: 'end' } & PositionedEnd)
  | { readonly type: 'interrupted'; readonly call: InterruptedCall; readonly to: number }

interface Part {
  readonly from: number
  readonly to: number
  readonly items: readonly Item[]
  readonly rejected: readonly RejectedLine[]
  /** It ends where the range ends. */
  readonly isFinal: boolean
}

const REASON_CHARACTERS_MAX = 1_000
/**
 * Bytes of a journal that are folded in one transaction, and over a server in one statement for each table. MariaDB
 * refuses statements of more than 16 MiB by default, and in JSON a character can take six times as many bytes.
 */
const BYTES_AT_ONCE = 2 * 1024 * 1024

/**
 * Folds a range in as few transactions as possible. When one fails, it is halved until the bad line is alone, which
 * is then kept for the operator. Yields the transactions to carry out. When the store fails (`throw`) after some of
 * them, the result tells what those did and where they ended, because no later fold would tell it again.
 */
export function* foldInParts(
  range: JournalRange,
  { ends, interrupted, unreadable }: RangeContent,
): Generator<FoldInput, FoldReply, Reply> {
  const { from, to } = range
  const items: readonly Item[] = [
    ...ends.map((end) => ({ type: 'end' as const, ...end })),
    ...interrupted.map((call) => ({ type: 'interrupted' as const, call, to })),
  ]
  const parts = smallParts({ from, to, items, rejected: unreadable, isFinal: true }).toReversed()
  const taken: TakenQuota[] = []
  const alarms: Alarm[] = []
  const scarce: ScarceAccount[] = []
  let recovered = 0
  let reached = from
  const buildReply = (): FoldReply => ({
    result: { type: 'folded', taken, recovered, scarce, ...(reached < to && { to: reached }) },
    alarms,
  })
  for (let part = parts.pop(); part; part = parts.pop()) {
    let attempt: Reply
    try {
      attempt = yield inputOf(range, part)
    } catch (error) {
      // Calls without an end have no position behind which folding could continue.
      if (reached === from || range.last) throw error
      return buildReply()
    }
    if (attempt.type === 'failed') {
      parts.push(...smallerParts(part, attempt.detail).toReversed())
      continue
    }
    const { outcome, alarm } = readFoldDecision(attempt.decision)
    if (alarm) alarms.push(alarm)
    if (outcome.type === 'moved') return reached === from ? { result: outcome, alarms } : buildReply()
    taken.push(...outcome.taken)
    scarce.push(...outcome.scarce)
    recovered += outcome.recovered
    reached = part.to
  }
  return buildReply()
}

/** Carries a transaction out and continues with its reply, or with its failure. */
export async function runFoldStep(
  folding: ReturnType<typeof foldInParts>,
  attempt: Promise<Reply>,
): Promise<IteratorResult<FoldInput, FoldReply>> {
  let reply: Reply
  try {
    reply = await attempt
  } catch (error) {
    return folding.throw(error)
  }
  return folding.next(reply)
}

/** Carries the transactions out one after another, where that needs no waiting. */
export function foldNow(
  range: JournalRange,
  content: RangeContent,
  attempt: (input: FoldInput) => Reply,
): FoldReply {
  const folding = foldInParts(range, content)
  let step = folding.next({ type: 'failed', detail: '' })
  while (!step.done) step = continueNow(folding, step.value, attempt)
  return step.value
}

function continueNow(
  folding: ReturnType<typeof foldInParts>,
  input: FoldInput,
  attempt: (input: FoldInput) => Reply,
): IteratorResult<FoldInput, FoldReply> {
  let reply: Reply
  try {
    reply = attempt(input)
  } catch (error) {
    return folding.throw(error)
  }
  return folding.next(reply)
}

function inputOf(range: JournalRange, { from, to, items, rejected, isFinal }: Part): FoldInput {
  const { fileId, instanceId, openFrom, reports, last, isLate = false, isOwn = false } = range
  return {
    fileId,
    instanceId,
    from,
    to,
    openFrom: isFinal ? (last ? to : openFrom) : undefined,
    ends: items.flatMap((item) => (item.type === 'end' ? [item.end] : [])),
    interrupted: items.flatMap((item) => (item.type === 'interrupted' ? [item.call] : [])),
    rejected,
    reports: isFinal ? reports : [],
    isLate,
    isOwn,
  }
}

/** Divides what is too large for one transaction behind its lines. */
function smallParts(whole: Part): readonly Part[] {
  const parts: Part[] = []
  let rest = whole
  while (rest.to - rest.from > BYTES_AT_ONCE) {
    const { from, items } = rest
    const last = items.findIndex(({ type, to }) => type === 'end' && to - from >= BYTES_AT_ONCE)
    if (last < 0 || last === items.length - 1) break
    const [first, second] = dividedAt(rest, last + 1)
    parts.push(first)
    rest = second
  }
  return [...parts, rest]
}

function smallerParts(part: Part, detail: string): readonly Part[] {
  const { from, to, items, rejected, isFinal } = part
  const [item] = items
  if (item === undefined) throw new Error(`a journal cannot be folded: ${detail}`)
  if (items.length === 1) {
    const line = { position: from, line: textOf(item), reason: detail.slice(0, REASON_CHARACTERS_MAX) }
    return [{ from, to, items: [], rejected: [...rejected, line], isFinal }]
  }
  return dividedAt(part, items.length >> 1)
}

function dividedAt({ from, to, items, rejected, isFinal }: Part, index: number): readonly [Part, Part] {
  const middle = items[index - 1]?.to ?? from
  return [
    { from, to: middle, items: items.slice(0, index), rejected, isFinal: false },
    { from: middle, to, items: items.slice(index), rejected: [], isFinal },
  ]
}

/** Safe cast: the core answers a fold with the outcome of a fold. */
export function readFoldDecision(decision: Decision): Decision<'fold'> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return decision as Decision<'fold'>
}

function textOf(item: Item): string {
  return JSON.stringify(item.type === 'end' ? item.end : item.call, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}
