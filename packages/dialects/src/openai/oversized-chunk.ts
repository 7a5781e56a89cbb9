import { parseObject } from '../json.ts'
import {
  actionOf,
  HAS_CHOICES,
  HAS_FINISH,
  HAS_USAGE,
  NAME_BYTES_MAX,
  type Action,
} from '../stream/delta-members.ts'
import type { DeltaScan } from '../stream/delta-scan.ts'
import { StringPieces } from './string-pieces.ts'

const QUOTE = 0x22
const SPACE = 0x20
const COMMA = 0x2c
const COLON = 0x3a
const DIGIT_0 = 0x30
const DIGIT_9 = 0x39
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Maximum bytes of a usage object; no vendor's is a tenth of it. */
const USAGE_BYTES_MAX = 16 * 1024
const REASON_BYTES_MAX = 64
/** Depth of the members `index` and `finish_reason`: `{"choices":[{`. */
const CHOICE_DEPTH = 3
const NOWHERE = Number.POSITIVE_INFINITY

interface Choice {
  index: number
  finish_reason?: string
  usage?: Record<string, unknown>
}

/** The members read from a chunk that was too long to be kept: its usage and its finish reasons. */
export interface ChunkRemains {
  readonly usage?: Record<string, unknown>
  readonly choices: readonly Readonly<Choice>[]
}

/**
 * Reads a chunk that is too long to be kept while its pieces pass: counts the same as {@link DeltaScan}, and
 * finds the usage and the finish reasons. It keeps at most a name and a usage, never the pieces; it makes no
 * difference where they are cut.
 */
export class OversizedChunkReader {
  readonly #scan: DeltaScan
  readonly #string: StringPieces
  readonly #usageBytes = new BoundedBytes(USAGE_BYTES_MAX)
  readonly #choices: Choice[] = []
  #usage: Record<string, unknown> | undefined
  #choice: Choice | undefined
  #depth = 0
  /** Depths of the usage object being kept, of a value being skipped, and of the list of choices. */
  #usageDepth = NOWHERE
  #skipDepth = NOWHERE
  #choicesDepth = NOWHERE
  /** How the value after the last name is to be counted. */
  #action: Action | undefined
  #isIndex = false
  #hasName = false

  constructor(scan: DeltaScan) {
    this.#scan = scan
    this.#string = new StringPieces(Math.max(NAME_BYTES_MAX, REASON_BYTES_MAX))
  }

  push(bytes: Buffer, start: number, end: number): void {
    let at = start
    while (at < end) {
      const from = at
      if (this.#string.isOpen) {
        at = this.#string.push(bytes, at, end)
        if (!this.#string.isOpen) this.#endString()
      } else this.#outside(bytes[at++] ?? SPACE)
      if (this.#depth >= this.#usageDepth) this.#usageBytes.add(bytes, from, at)
    }
  }

  end(): ChunkRemains {
    return { usage: this.#usage, choices: this.#choices }
  }

  #outside(byte: number): void {
    if (byte === QUOTE) return this.#beginString()
    if (byte === SPACE) return undefined
    if (byte === COLON) return this.#hasName ? this.#named() : undefined
    this.#hasName = false
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#open(byte)
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#close()
    else if (byte === COMMA) this.#forgetName()
    else if (this.#isIndex && this.#choice && byte >= DIGIT_0 && byte <= DIGIT_9)
      this.#choice.index = this.#choice.index * 10 + byte - DIGIT_0
  }

  #named(): void {
    this.#hasName = false
    const { kept, keptBytes } = this.#string
    this.#action = actionOf(kept, 0, keptBytes)
    this.#isIndex = this.#isInChoice && this.#string.text() === 'index'
  }

  #forgetName(): void {
    this.#action = undefined
    this.#isIndex = false
  }

  get #isInChoice(): boolean {
    return this.#choice !== undefined && this.#depth === CHOICE_DEPTH
  }

  #open(byte: number): void {
    const action = this.#action
    this.#forgetName()
    this.#depth++
    if (this.#depth >= this.#skipDepth) return
    if (action?.type === 'skip') this.#skipDepth = this.#depth
    else if (isFlag(action, HAS_CHOICES) && this.#depth === CHOICE_DEPTH - 1) this.#choicesDepth = this.#depth
    else if (byte === OPEN_BRACE && this.#depth === CHOICE_DEPTH && this.#depth > this.#choicesDepth)
      this.#choice = { index: 0 }
    else if (byte === OPEN_BRACE && isFlag(action, HAS_USAGE) && this.#mayHaveUsage) this.#keepUsage()
  }

  /** Usage may be a member of the chunk or of a choice. */
  get #mayHaveUsage(): boolean {
    return this.#depth === 2 || (this.#choice !== undefined && this.#depth === CHOICE_DEPTH + 1)
  }

  #keepUsage(): void {
    this.#usageDepth = this.#depth
    this.#usageBytes.clear()
  }

  #close(): void {
    this.#forgetName()
    if (this.#depth === this.#usageDepth) this.#endUsage()
    if (this.#depth === this.#skipDepth) this.#skipDepth = NOWHERE
    if (this.#depth === this.#choicesDepth) this.#choicesDepth = NOWHERE
    if (this.#choice && this.#depth === CHOICE_DEPTH) {
      this.#choices.push(this.#choice)
      this.#choice = undefined
    }
    this.#depth--
  }

  #endUsage(): void {
    this.#usageDepth = NOWHERE
    const usage = parseObject(`${this.#usageBytes.text()}}`)
    if (usage === undefined) return
    if (this.#choice) this.#choice.usage = usage
    else this.#usage = usage
  }

  #beginString(): void {
    const action = this.#action
    if (this.#depth >= this.#skipDepth) this.#string.open('pass')
    else if (action?.type === 'text') this.#string.open(this.#scan.text(action.of))
    else if (action?.type === 'name') this.#string.open(this.#scan.text('answer'))
    else this.#string.open(action === undefined || action.type === 'flag' ? 'keep' : 'pass')
  }

  #endString(): void {
    const action = this.#action
    this.#hasName = action === undefined && this.#depth < this.#skipDepth
    this.#forgetName()
    if (this.#string.isEmpty) return
    if (action?.type === 'name') this.#scan.noteToolCall()
    if (isFlag(action, HAS_FINISH) && this.#choice && this.#depth === CHOICE_DEPTH)
      this.#choice.finish_reason = this.#string.text()
  }
}

function isFlag(action: Action | undefined, flag: number): boolean {
  return action?.type === 'flag' && action.flag === flag
}

/** Bytes up to a limit; longer content is discarded. */
class BoundedBytes {
  readonly #max: number
  #kept: Buffer | undefined
  #size = 0

  constructor(max: number) {
    this.#max = max
  }

  clear(): void {
    this.#size = 0
  }

  add(bytes: Buffer, start: number, end: number): void {
    this.#kept ??= Buffer.alloc(this.#max)
    if (this.#size < this.#max) bytes.copy(this.#kept, this.#size, start, end)
    this.#size += end - start
  }

  text(): string {
    return this.#size > this.#max ? '' : (this.#kept?.toString('utf8', 0, this.#size) ?? '')
  }
}
