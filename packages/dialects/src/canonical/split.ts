import { endOfReply } from './end-of-reply.ts'
import type { ReplyEvent } from './event.ts'
import type { Part } from './part.ts'
import type { Reply, ReplyChoice } from './reply.ts'

/** Turns a whole reply into a stream of events. Collecting the events gives the same reply again. */
export function replyToEvents(reply: Reply): ReplyEvent[] {
  const { id, model, createdSeconds, serviceTier, usage } = reply
  return [
    { type: 'reply-start', id, model, createdSeconds, serviceTier },
    ...reply.choices.flatMap((choice, index) => splitChoice(choice, index)),
    ...endOfReply(usage),
  ]
}

function splitChoice({ parts, end }: ReplyChoice, choice: number): ReplyEvent[] {
  return [
    ...parts.flatMap((part, index) => splitPart(part, { choice, part: index })),
    { type: 'choice-end', choice, end },
  ]
}

interface Place {
  readonly choice: number
  readonly part: number
}

function splitPart(part: Part, place: Place): ReplyEvent[] {
  const { opening, deltas } = takenApart(part, place)
  return [{ type: 'part-start', ...place, opening }, ...deltas, { type: 'part-end', ...place }]
}

/** Moves everything that can stream from the part into deltas; the rest stays in the opening. */
function takenApart(part: Part, place: Place): { opening: Part; deltas: ReplyEvent[] } {
  if (part.type === 'text') {
    const { citations = [], logprobs, ...rest } = part
    const texts = textDeltas(part.text, place, logprobs && { logprobs })
    const cited = citations.map((citation) => ({ type: 'citation-delta' as const, ...place, citation }))
    return { opening: { ...rest, text: '' }, deltas: [...texts, ...cited] }
  }
  if (part.type === 'refusal') return { opening: { ...part, text: '' }, deltas: textDeltas(part.text, place) }
  if (part.type === 'reasoning') {
    const { signature, ...rest } = part
    const signed = signature ? [{ type: 'signature-delta' as const, ...place, signature }] : []
    return { opening: { ...rest, text: '' }, deltas: [...textDeltas(part.text, place), ...signed] }
  }
  if (part.type === 'tool-call') {
    const written = part.arguments
    const deltas = written === '' ? [] : [{ type: 'arguments-delta' as const, ...place, text: written }]
    return { opening: { ...part, arguments: '' }, deltas }
  }
  return { opening: part, deltas: [] }
}

function textDeltas(
  text: string,
  place: Place,
  more: Pick<Extract<Part, { type: 'text' }>, 'logprobs'> = {},
): ReplyEvent[] {
  if (text === '' && more.logprobs === undefined) return []
  return [{ type: 'text-delta', ...place, text, ...more }]
}
