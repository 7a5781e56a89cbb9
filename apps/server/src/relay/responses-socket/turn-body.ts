import { type Member, skipSpace } from '@tollgate/dialects/json-scan'
import { problem } from '@tollgate/problems/problem'
import type { TurnFrame } from './read-frame.ts'

/** Members of a frame that a request over HTTP does not have. */
const OF_FRAMES = new Set(['type', 'stream_id', 'generate', 'stream'])
const OPEN_BRACKET = 0x5b
const QUOTE = 0x22

/** How a body begins, by which its first members are found again when a channel has changed others. */
export const CREATED_PREFIX = Buffer.from('{"stream":true,')
export const EARLIER_PREFIX = Buffer.from('{"stream":true,"input":')

export interface TurnBody {
  readonly bytes: Buffer
  /**
   * The value of `input` with the earlier items, in pieces; `undefined` where there are none. The pieces do not share
   * memory with the body, which may be moved to another thread.
   */
  readonly wholeInput: readonly Buffer[] | undefined
}

/** The request body of a frame. With `earlier`, its input follows these items instead of the id of a response. */
export function turnBody(frame: TurnFrame, earlier?: readonly Buffer[]): TurnBody {
  const { bytes, members } = frame
  const left = [...members.values()].filter(({ name }) => !OF_FRAMES.has(name))
  const kept = left.filter((member) => !isReplaced(member, frame, earlier))
  const parts = kept.map(({ start, valueEnd }) => bytes.subarray(start, valueEnd))
  if (earlier === undefined) {
    if (frame.isWarmUp && !members.has('input')) parts.push(Buffer.from('"input":[]'))
    const listed = parts.flatMap((part) => [COMMA, part])
    return { bytes: Buffer.concat([OPEN, ...listed, CLOSE]), wholeInput: undefined }
  }
  const wholeInput = inputAfter(earlier, inputItems(frame))
  const listed = parts.flatMap((part) => [COMMA, part])
  return { bytes: Buffer.concat([EARLIER_PREFIX, ...wholeInput, ...listed, CLOSE]), wholeInput }
}

const OPEN = Buffer.from('{"stream":true')
const CLOSE = Buffer.from('}')
const COMMA = Buffer.from(',')

function isReplaced(
  { name, valueStart, valueEnd }: Member,
  { bytes }: TurnFrame,
  earlier?: unknown,
): boolean {
  // `background: true` is left for the refusal that it gets over HTTP.
  if (name === 'background') return /^(?:false|null)$/.test(bytes.toString('latin1', valueStart, valueEnd))
  return earlier !== undefined && (name === 'input' || name === 'previous_response_id')
}

function inputAfter(earlier: readonly Buffer[], items: Buffer | undefined): readonly Buffer[] {
  const all = [...earlier, ...(items === undefined ? [] : [items])]
  const listed = all.flatMap((each, index) => (index === 0 ? [each] : [COMMA, each]))
  return [Buffer.from('['), ...listed, Buffer.from(']')]
}

/** The value of `input` as it is in the frame. */
export function inputValue({ bytes, members }: TurnFrame): Buffer {
  const input = members.get('input')
  return input === undefined ? Buffer.from('[]') : bytes.subarray(input.valueStart, input.valueEnd)
}

/**
 * The items of a frame's input as they are between the brackets of a list; `undefined` when there are none.
 * Shares memory with the frame. Throws a Problem for an input that is neither a text nor a list.
 */
export function inputItems({ bytes, members }: TurnFrame): Buffer | undefined {
  const input = members.get('input')
  if (input === undefined) return undefined
  const { valueStart, valueEnd } = input
  if (bytes[valueStart] === QUOTE) {
    const text = bytes.subarray(valueStart, valueEnd)
    return Buffer.concat([Buffer.from('{"type":"message","role":"user","content":'), text, CLOSE])
  }
  if (bytes[valueStart] !== OPEN_BRACKET) throw problem('member_invalid', { param: 'input' })
  const first = skipSpace(bytes, valueStart + 1)
  return first >= valueEnd - 1 ? undefined : bytes.subarray(first, valueEnd - 1)
}
