import type { CallOperation } from '../conversations.ts'
import { findString, type ValueRange } from '../json-value.ts'
import { DATA, isData, newlineFrom } from '../stream/sse-line.ts'
import { NameNeedle } from './name-needle.ts'

const MODEL = [Buffer.from('"model"')]
const VERSION = [Buffer.from('"modelVersion"')]

interface NamePaths {
  readonly body: readonly Buffer[]
  readonly event: readonly Buffer[]
}

/** Where answers name their model, by operation; all others have it as `model`. */
const paths: Readonly<Partial<Record<CallOperation, NamePaths>>> = {
  messages: { body: MODEL, event: [Buffer.from('"message"'), ...MODEL] },
  responses: { body: MODEL, event: [Buffer.from('"response"'), ...MODEL] },
  generate: { body: VERSION, event: VERSION },
}

/** Lines of a stream from which the place of its names is learned. */
const LEARNED_MAX = 64
const OPEN_BRACE = 0x7b
const SPACE = 0x20

/** The caller's name for the model that served; `undefined`: the vendor's own name stays. */
export type NamingRule = string | ((served: string) => string | undefined)

/** Writes the name that a caller asked for into answers that pass unconverted from a channel that maps it. */
export class AnswerName {
  readonly #paths: NamePaths
  readonly #marks: readonly Buffer[]
  readonly #rule: NamingRule
  /** The name of all answers, where it is the same for every model that serves. */
  readonly #only: Buffer | undefined
  #served: string | undefined
  #name: Buffer | undefined
  #needle: NameNeedle | undefined
  #learned = 0

  constructor(operation: CallOperation, rule: NamingRule) {
    this.#paths = paths[operation] ?? { body: MODEL, event: MODEL }
    this.#marks = this.#paths.event
    this.#rule = rule
    this.#only = typeof rule === 'string' ? quoted(rule) : undefined
  }

  /** `served`: the model that served, where the body does not say it. */
  renameBody(body: Buffer, served?: string): Buffer {
    const start = body.indexOf(OPEN_BRACE)
    const value = start < 0 ? undefined : findString(body, start, this.#paths.body)
    if (value === undefined) return body
    const name = this.#nameFor(served === undefined ? body.subarray(value.start, value.end) : quoted(served))
    if (name === undefined) return body
    return Buffer.concat([body.subarray(0, value.start), name, body.subarray(value.end)])
  }

  /** `frames`: pieces of a stream that are whole lines together. */
  renameFrames(frames: readonly Buffer[]): readonly Buffer[] {
    const [first, second] = frames
    if (first === undefined) return frames
    // A line that came in two packets is two pieces.
    const bytes = second === undefined ? first : Buffer.concat(frames)
    // Most events of some dialects name no model, and looking for the names costs less than for lines.
    if (!this.#marks.every((mark) => bytes.includes(mark))) return frames
    return [this.#renameByNeedle(bytes) ?? this.#renameLines(bytes)]
  }

  #renameByNeedle(bytes: Buffer): Buffer | undefined {
    const renamed = this.#needle?.rename(bytes.toString('latin1'))
    return renamed === undefined ? undefined : Buffer.from(renamed, 'latin1')
  }

  #renameLines(bytes: Buffer): Buffer {
    const pieces: Buffer[] = []
    let copied = 0
    let at = 0
    while (at < bytes.length) {
      const newline = newlineFrom(bytes, at)
      const end = newline < 0 ? bytes.length : newline
      const json = end === at ? undefined : startOfJson(bytes, at, end)
      const value = json === undefined ? undefined : findString(bytes, json, this.#paths.event)
      if (value !== undefined && value.end <= end) {
        const served = bytes.subarray(value.start, value.end)
        const name = this.#nameFor(served) ?? served
        pieces.push(bytes.subarray(copied, value.start), name)
        copied = value.end
        this.#learn(bytes.subarray(at, end + 1), { start: value.start - at, end: value.end - at }, name)
      }
      at = end + 1
    }
    return pieces.length === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(copied)])
  }

  /** Each line may be of another form, and learning from all of them would cost more than it saves. */
  #learn(line: Buffer, value: ValueRange, name: Buffer): void {
    if (this.#learned === LEARNED_MAX) return
    this.#learned++
    this.#needle = new NameNeedle(line.toString('latin1'), value, name.toString('latin1'))
  }

  #nameFor(value: Buffer): Buffer | undefined {
    if (this.#only !== undefined) return this.#only
    const served = value.toString()
    if (served !== this.#served) {
      const name = typeof this.#rule === 'string' ? this.#rule : this.#rule(readText(served))
      this.#served = served
      this.#name = name === undefined ? undefined : quoted(name)
    }
    return this.#name
  }
}

function quoted(name: string): Buffer {
  return Buffer.from(JSON.stringify(name))
}

function readText(json: string): string {
  try {
    return String(JSON.parse(json))
  } catch {
    return ''
  }
}

/** Where the JSON text of a line begins: after `data:`, or at its start where a stream is no event stream. */
function startOfJson(frame: Buffer, from: number, end: number): number | undefined {
  let at = isData(frame, from, end) ? from + DATA.length : from
  while (frame[at] === SPACE) at++
  return frame[at] === OPEN_BRACE ? at : undefined
}
