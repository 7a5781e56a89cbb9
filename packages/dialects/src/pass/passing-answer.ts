import { removeCost } from '../cost/vendor-cost.ts'
import type { Finish, Reading, UsageReader } from '../dialect.ts'
import { errorOf } from '../errors/upstream-error.ts'
import { isRecord, textAt } from '../json.ts'
import { addTokens, LongStrings } from '../aside/long-strings.ts'
import type { PairRules } from '../pair/pair.ts'
import { readWhole } from '../pair/read-whole.ts'
import { readFinish } from '../openai/finish.ts'
import { actionOf } from '../stream/delta-members.ts'
import { DeltaScan } from '../stream/delta-scan.ts'
import { JsonWalk, type WalkListener } from './json-walk.ts'

export type PassingOperation =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'rerank'
  | 'messages'
  | 'responses'
  | 'generate'

/** Operations whose answers are read by their dialect, from what is left of them without long strings. */
const READ_BY_DIALECT: ReadonlySet<PassingOperation> = new Set(['messages', 'responses', 'generate'])

/** The list by which a response of each operation is recognised. */
const OUTPUTS: Readonly<Record<PassingOperation, string>> = {
  chat: 'choices',
  completions: 'choices',
  embeddings: 'data',
  rerank: 'results',
  messages: 'content',
  responses: 'output',
  generate: 'candidates',
}

const NAME_BYTES_MAX = 64
/** Of a value at the top level, other than the output. */
const VALUE_BYTES_MAX = 64 * 1024
const MEMBERS_MAX = 100
const ALWAYS: ReadonlySet<string> = new Set(['usage', 'error'])
const NOTHING = Buffer.alloc(0)

interface PassingInput {
  readonly operation: PassingOperation
  readonly readUsage: UsageReader
  /** How a dialect other than that of OpenAI reads the whole response. */
  readonly rules?: PairRules
}

/**
 * A whole response with status 200 that passes to the caller as it comes: finds `usage`, errors and the other
 * members at the top level, and counts its text. Only the usage waits until it is whole, because a vendor's cost in
 * it is overwritten with spaces.
 */
export class PassingAnswer implements WalkListener {
  readonly #input: PassingInput
  readonly #walk: JsonWalk
  readonly #scan = new DeltaScan()
  readonly #members = new Map<string, unknown>()
  #depth = -1
  #name = ''
  /** How the text of the value under way counts. */
  #action: ReturnType<typeof actionOf>
  /** Depth of a value whose texts do not count. */
  #skippedDepth = Number.POSITIVE_INFINITY
  #hasOutputList = false
  #hasItems = false
  /** The value at the top level that is being kept, and where it begins in the piece. */
  #kept: Buffer[] | undefined
  #keptBytes = 0
  #keptFrom = 0
  #topName = ''
  #finish = ''
  #sent: Buffer[] = []
  #sentTo = 0
  #piece: Buffer = NOTHING
  #isInvalid = false
  /** The response without the greater part of its long strings, for the dialects that read it whole. */
  #short: Buffer[] | undefined
  readonly #strings = new LongStrings({ isKept: false })
  #shortBytes = 0
  #read: Reading | undefined

  constructor(input: PassingInput) {
    this.#input = input
    this.#walk = new JsonWalk(this)
    if (READ_BY_DIALECT.has(input.operation)) this.#short = []
  }

  /** Bytes that are held until the response is read. */
  get heldBytes(): number {
    return this.#shortBytes
  }

  /** Takes the next piece and returns what the caller may get now. */
  push(piece: Buffer): readonly Buffer[] {
    this.#piece = piece
    this.#sent = []
    this.#sentTo = 0
    this.#keptFrom = 0
    this.#walk.push(piece)
    this.#keep(piece.length)
    this.#shorten(piece)
    if (!this.#isUsage) this.#send(piece.length)
    this.#piece = NOTHING
    return this.#sent
  }

  /** It is no JSON object, or has an error at its top level. */
  get isBroken(): boolean {
    return this.#isInvalid || this.#walk.isBroken || errorOf(this.#top, undefined) !== undefined
  }

  /** The response is whole, and is what the operation returns. */
  get isComplete(): boolean {
    if (!this.#walk.isComplete || this.isBroken || !this.#hasOutputList) return false
    if (this.#short !== undefined) return this.#readShort()?.error === undefined
    return this.#hasItems || !this.#isText
  }

  get outputTokens(): number {
    return this.#isText ? this.#scan.outputTokens : 0
  }

  reading(): Reading {
    const whole = this.isComplete ? this.#readShort() : undefined
    if (whole !== undefined) return whole
    const top = this.#top
    return {
      usage: this.#input.readUsage(top),
      finish: this.#finishRead,
      outputTokensCounted: this.outputTokens,
      hasOutput: this.#hasItems && (!this.#isText || this.#scan.hasOutput),
      isComplete: this.isComplete,
      replyId: textAt(top, 'id'),
      model: textAt(top, 'model'),
      error: undefined,
    }
  }

  #shorten(piece: Buffer): void {
    if (this.#short === undefined) return
    for (const part of this.#strings.push(piece)) {
      // Copied, so that the whole piece is not kept in memory for it.
      this.#short.push(Buffer.from(part))
      this.#shortBytes += part.length
    }
  }

  /** What the dialect reads in the response: its usage, its end and the tools that are charged. */
  #readShort(): Reading | undefined {
    const { rules } = this.#input
    if (this.#short === undefined || rules === undefined) return undefined
    this.#read ??= addTokens(readWhole(Buffer.concat(this.#short), rules).reading, this.#strings.tokens)
    return this.#read
  }

  text(bytes: Buffer, start: number, end: number, isName: boolean): void {
    if (isName) {
      if (this.#name.length <= NAME_BYTES_MAX)
        this.#name += bytes.toString('latin1', start, Math.min(end, start + NAME_BYTES_MAX + 1))
      return
    }
    if (this.#depth === 3 && this.#name === 'finish_reason' && this.#finish.length < NAME_BYTES_MAX)
      this.#finish += bytes.toString('latin1', start, Math.min(end, start + NAME_BYTES_MAX))
    const action = this.#action
    if (action === undefined || this.#depth > this.#skippedDepth) return
    if (action.type === 'text') this.#scan.text(action.of).addText(bytes.toString('utf8', start, end))
    else if (action.type === 'name') this.#scan.text('answer').addText(bytes.toString('utf8', start, end))
    else if (action.type === 'data') this.#scan.noteData()
  }

  textEnd(isName: boolean): void {
    if (!isName) return
    const name = Buffer.from(this.#name, 'latin1')
    this.#action = this.#name.length > NAME_BYTES_MAX ? undefined : actionOf(name, 0, name.length)
  }

  valueStart(at: number, depth: number, first: number): void {
    this.#depth = depth
    if (depth === 0 && first !== 0x7b) this.#isInvalid = true
    if (depth === 1) this.#startTop(at, first)
    else if (depth === 2 && this.#isOutput) this.#hasItems = true
    const isString = first === 0x22
    if (this.#action?.type === 'skip' && depth < this.#skippedDepth) this.#skippedDepth = depth
    else if (this.#action?.type === 'name' && isString && depth <= this.#skippedDepth)
      this.#scan.noteToolCall()
    // Texts in lists and objects have names of their own, or do not count.
    if (!isString) this.#action = undefined
    if (!isString) this.#name = ''
  }

  valueEnd(at: number, depth: number): void {
    this.#name = ''
    this.#action = undefined
    if (depth <= this.#skippedDepth) this.#skippedDepth = Number.POSITIVE_INFINITY
    if (depth === 1) this.#endTop(at)
  }

  /** The members at the top level, without the output and those that are large. */
  get #top(): Record<string, unknown> {
    return Object.fromEntries(this.#members)
  }

  get #isText(): boolean {
    const { operation } = this.#input
    return operation === 'chat' || operation === 'completions' || READ_BY_DIALECT.has(operation)
  }

  get #isOutput(): boolean {
    return this.#topName === OUTPUTS[this.#input.operation]
  }

  get #isUsage(): boolean {
    return this.#kept !== undefined && this.#topName === 'usage'
  }

  get #finishRead(): Finish | undefined {
    return readFinish(this.#finish)
  }

  #startTop(at: number, first: number): void {
    this.#topName = readName(this.#name)
    // The last of several lists counts, as everywhere.
    if (this.#isOutput) {
      this.#hasOutputList = first === 0x5b
      this.#hasItems = false
    }
    this.#kept = this.#isOutput ? undefined : []
    this.#keptBytes = 0
    this.#keptFrom = at
    if (this.#topName === 'usage') this.#send(at)
  }

  #endTop(at: number): void {
    this.#keep(at)
    const kept = this.#kept
    if (kept !== undefined) {
      const value = Buffer.concat(kept)
      const isUsage = this.#isUsage
      this.#kept = undefined
      const read = parse(value)
      if (this.#members.size < MEMBERS_MAX || ALWAYS.has(this.#topName))
        this.#members.set(this.#topName, read)
      if (isUsage) {
        this.#sent.push(isRecord(read) ? withoutCost(value) : value)
        this.#sentTo = at
      }
    }
    this.#topName = ''
  }

  /** Keeps the value at the top level up to this position of the piece. */
  #keep(end: number): void {
    if (this.#kept === undefined || end <= this.#keptFrom) return
    this.#keptBytes += end - this.#keptFrom
    if (this.#keptBytes <= VALUE_BYTES_MAX) {
      this.#kept.push(Buffer.from(this.#piece.subarray(this.#keptFrom, end)))
      this.#keptFrom = end
      return
    }
    // Nobody reports so much usage; any other member is not needed.
    if (this.#topName === 'usage') this.#isInvalid = true
    this.#kept = undefined
  }

  #send(end: number): void {
    if (end > this.#sentTo) this.#sent.push(this.#piece.subarray(this.#sentTo, end))
    this.#sentTo = end
  }
}

/** The same number of bytes, so that an announced length stays true. */
function withoutCost(usage: Buffer): Buffer {
  const rest = removeCost(usage)
  return rest.length >= usage.length
    ? rest
    : Buffer.concat([rest, Buffer.alloc(usage.length - rest.length, ' ')])
}

function readName(name: string): string {
  if (!name.includes('\\')) return name
  const value = parse(Buffer.from(`"${name}"`, 'latin1'))
  return typeof value === 'string' ? value : name
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
