import { eventFrame } from '../stream/event-frame.ts'
import type { PairRules } from '../pair/pair.ts'
import type { Listener } from '../pair/passing-stream.ts'
import { finishOf } from '../canonical/reading.ts'
import type { ChoiceEnd } from '../canonical/reply.ts'
import type { Reading, UpstreamError } from '../dialect.ts'
import { isAt } from '../bytes-at.ts'
import { usagePaths, withoutVendorCost } from '../cost/vendor-cost.ts'
import { parseObject, recordAt, textAt, type JsonObject } from '../json.ts'
import { DeltaScan } from '../stream/delta-scan.ts'
import { badBody, errorInside } from '../errors/upstream-error.ts'
import type { LineVerdict } from '../stream/line-verdict.ts'
import { readEnd, writeEnd } from './ends.ts'
import { readSignature } from './signature.ts'
import { laterUsage } from './usage.ts'

/** A line longer than this is not treated as an event of this dialect. */
const BUFFERED_BYTES_MAX = 8 * 1024 * 1024

/**
 * Reads usage and stop reasons from message events. Deltas, which make up nearly all of a stream, are scanned
 * and not parsed. Some Anthropic-compatible upstreams omit the `event:` lines altogether.
 */
export class MessageListener implements Listener {
  readonly bufferedBytesMax = BUFFERED_BYTES_MAX
  readonly hasNames = true
  readonly #rules: PairRules
  readonly #scan = new DeltaScan()
  #replyId: string | undefined
  #model: string | undefined
  #rawUsage: JsonObject | undefined
  #openBlock: number | undefined
  /** Whether the open block is thinking and somebody wants to know its signature. */
  #isThinking = false
  #end: ChoiceEnd | undefined
  #error: UpstreamError | undefined
  #hasGarbage = false
  isDone = false
  frames = 0

  constructor(rules: PairRules) {
    this.#rules = rules
  }

  /** Usage that comes before the stop reason is that of the start, or interim. */
  get isClosing(): boolean {
    return this.#end !== undefined || this.isDone
  }

  get reading(): Reading {
    return {
      replyId: this.#replyId,
      model: this.#model,
      usage: this.#rawUsage && this.#rules.readUsage({ usage: this.#rawUsage }),
      finish: this.#end && finishOf(this.#end),
      outputTokensCounted: this.#scan.outputTokens,
      hasOutput: this.#scan.hasOutput,
      isComplete: this.isDone,
      error: this.#error,
    }
  }

  end(hasStrayLines: boolean): void {
    if (this.#error !== undefined || this.frames > 0) return
    this.#error = badBody(this.#hasGarbage || hasStrayLines ? 'bad_response_body' : 'empty_response')
  }

  cut(): readonly Buffer[] {
    this.#end = { reason: 'length', raw: 'max_tokens' }
    const usage = { ...this.#rawUsage, output_tokens: this.#scan.outputTokens }
    return [
      ...(this.#openBlock === undefined
        ? []
        : [eventFrame({ type: 'content_block_stop', index: this.#openBlock })]),
      eventFrame({ type: 'message_delta', delta: writeEnd(this.#end), usage }),
      eventFrame({ type: 'message_stop' }),
    ]
  }

  hearLongLine(): void {
    this.#scan.noteData()
  }

  hear(bytes: Buffer, start: number, end: number, isNamed: boolean): LineVerdict {
    if (this.isDone) return 'drop'
    if (isAt(bytes, start, DELTA)) {
      this.#scan.scan(bytes, start, end)
      if (this.#isThinking) this.#hearSignature(bytes.subarray(start, end))
      this.frames++
      return isNamed ? 'keep' : Buffer.concat([DELTA_HEAD, bytes.subarray(start, end)])
    }
    const payload = bytes.subarray(start, end)
    const event = parseObject(payload)
    const type = event && textAt(event, 'type')
    if (event === undefined || type === undefined) return this.#dropGarbage()
    this.#error = errorInside(event)
    if (this.#error !== undefined) return 'end'
    if (type !== 'ping') this.frames++
    this.#note(type, event, payload)
    const own = withoutCostIn(type, payload)
    return isNamed && own === payload ? 'keep' : Buffer.concat([Buffer.from(`event: ${type}\ndata: `), own])
  }

  #dropGarbage(): LineVerdict {
    this.#hasGarbage = true
    return 'drop'
  }

  #note(type: string, event: JsonObject, payload: Buffer): void {
    if (type === 'message_start') this.#begin(recordAt(event, 'message') ?? {})
    else if (type === 'content_block_start') {
      this.#scan.scan(payload, 0, payload.length)
      this.#openBlock = Number(event['index'] ?? 0)
      this.#beginSeal(recordAt(event, 'content_block') ?? {})
    } else if (type === 'content_block_delta') {
      this.#scan.scan(payload, 0, payload.length)
      if (this.#isThinking) this.#hearSignature(payload)
    } else if (type === 'content_block_stop') this.#openBlock = undefined
    else if (type === 'message_delta') {
      this.#end = readEnd(recordAt(event, 'delta') ?? {}) ?? this.#end
      this.#noteUsage(event)
    } else if (type === 'message_stop') this.isDone = true
  }

  /** Most blocks have no signature, so only the deltas of thinking are searched for one. */
  #beginSeal(block: JsonObject): void {
    const { onSeal } = this.#rules
    const type = textAt(block, 'type')
    this.#isThinking = type === 'thinking' && onSeal !== undefined
    const seal = type === 'redacted_thinking' ? textAt(block, 'data') : undefined
    if (seal !== undefined) onSeal?.(seal)
  }

  #hearSignature(payload: Buffer): void {
    if (!payload.includes(SIGNATURE)) return
    const delta = recordAt(parseObject(payload) ?? {}, 'delta') ?? {}
    const seal = readSignature(textAt(delta, 'signature'))?.value
    if (seal !== undefined) this.#rules.onSeal?.(seal)
  }

  #begin(message: JsonObject): void {
    this.#replyId = textAt(message, 'id')
    this.#model = textAt(message, 'model')
    this.#noteUsage(message)
  }

  #noteUsage(holder: JsonObject): void {
    const reported = recordAt(holder, 'usage')
    if (reported !== undefined) this.#rawUsage = laterUsage(this.#rawUsage, reported)
  }
}

function withoutCostIn(type: string, payload: Buffer): Buffer {
  if (type === 'message_start') return withoutVendorCost(payload, usagePaths.message)
  return type === 'message_delta' ? withoutVendorCost(payload, usagePaths.body) : payload
}

const DELTA = Buffer.from('{"type":"content_block_delta"')
const SIGNATURE = Buffer.from('"signature"')
const DELTA_HEAD = Buffer.from('event: content_block_delta\ndata: ')
