import type { ReadReply, UpstreamCodec } from '../canonical/codec.ts'
import { ReplyCollector } from '../canonical/collect.ts'
import { FrameReader } from '../canonical/frames.ts'
import type { ReplyEvent } from '../canonical/event.ts'
import { readingOf } from '../canonical/reading.ts'
import type { Reply } from '../canonical/reply.ts'
import { replyToEvents } from '../canonical/split.ts'
import { usagePaths, withoutVendorCost } from '../cost/vendor-cost.ts'
import { codecOf, isConversation } from '../conversations.ts'
import { parseObject } from '../json.ts'
import { readMediaAnswer } from '../media/answer.ts'
import { isMedia } from '../media/operation.ts'
import { replayMedia } from '../media/replay.ts'
import { failed, readAnswer, type ChatAnswer } from '../openai/answer.ts'
import { replayAsStream } from '../openai/replay.ts'
import { badBody, insideError } from '../errors/upstream-error.ts'
import { noUsage } from '../usage.ts'
import { isVectors, readVectors } from '../vectors/pair.ts'
import { AnswerName } from './answer-name.ts'
import type { PairRules } from './pair.ts'
import { restoredReply } from './restored-calls.ts'
import { reportPartSeal } from './report-seals.ts'
import { reportSignedCall } from './signed-call.ts'
import { ThinkingToText } from './thinking-to-text.ts'

/** Reads a whole response with a 2xx status and writes the caller's response. Never throws. */
export function readWhole(bytes: Buffer, rules: PairRules): ChatAnswer {
  const answer = readUnnamed(bytes, rules)
  const { asked, endpoint, answerModel } = rules
  if (answerModel === undefined || asked !== endpoint || answer.reading.error !== undefined) return answer
  // What was collected is written with the requested name.
  const served = rules.isCollected === true ? answer.reading.model : undefined
  return { ...answer, bytes: new AnswerName(asked, answerModel).renameBody(answer.bytes, served) }
}

function readUnnamed(bytes: Buffer, rules: PairRules): ChatAnswer {
  const { asked, endpoint, isCollected = false } = rules
  if (isMedia(asked)) {
    const { nowSeconds } = rules.context
    return readMediaAnswer({ ...rules, operation: asked, bytes, nowSeconds })
  }
  if (isVectors(asked) && isVectors(endpoint) && (asked !== endpoint || asked === 'embed'))
    return readVectors(bytes, { ...rules, asked, endpoint })
  const isPlain = asked === endpoint && !isCollected
  if (isPlain && asked !== 'embed' && asked !== 'realtime' && (asked === 'chat' || !isConversation(asked)))
    return readAnswer({ ...rules, operation: asked, bytes })
  const codec = codecOf(endpoint, rules.codec)
  if (!isConversation(asked) || codec === undefined) return failed(bytes, badBody('bad_response_body'))
  const read = readReply(bytes, { ...rules, codec })
  if (read.type === 'error') return failed(bytes, read.error)
  const reading = readingOf(read.reply)
  if (asked === endpoint && !isCollected) return { bytes: withoutVendorCost(bytes, usagePaths.body), reading }
  const body = rules.caller.writeReply(shown(counted(read.reply, rules), rules), rules.context)
  return { bytes: Buffer.from(JSON.stringify(body)), reading }
}

/** The same for a caller who requested a stream: the result is a whole stream with its end. */
export function readWholeAsStream(bytes: Buffer, rules: PairRules): ChatAnswer {
  const { asked, endpoint } = rules
  const codec = codecOf(endpoint, rules.codec)
  if (isConversation(asked) && codec !== undefined && (asked !== 'chat' || endpoint !== 'chat')) {
    const read = readReply(bytes, { ...rules, codec })
    if (read.type === 'error') return failed(bytes, read.error)
    const frames = writeAll(replyToEvents(shown(counted(read.reply, rules), rules)), rules)
    return { bytes: Buffer.concat(frames), reading: readingOf(read.reply) }
  }
  const answer = readWhole(bytes, rules)
  if (answer.reading.error !== undefined) return answer
  if (isMedia(asked)) return { ...answer, bytes: replayMedia(answer.bytes, asked) }
  return { ...answer, bytes: replayAsStream(answer.bytes, { forwardsUsage: rules.context.wantsUsage }) }
}

function writeAll(events: readonly ReplyEvent[], { caller, context }: PairRules): Buffer[] {
  const writer = caller.openWriter(context)
  return events.flatMap((event) => writer.push(event))
}

interface ReadRules extends PairRules {
  readonly codec: UpstreamCodec
}

function readReply(bytes: Buffer, rules: ReadRules): ReadReply {
  const read = (rules.isCollected === true ? collect(bytes, rules) : undefined) ?? readOne(bytes, rules)
  if (read.type === 'reply')
    for (const part of read.reply.choices.flatMap(({ parts }) => parts)) {
      reportSignedCall(part, rules)
      reportPartSeal(part, rules)
    }
  return read
}

function readOne(bytes: Buffer, rules: ReadRules): ReadReply {
  const parsed = parseObject(bytes)
  if (parsed === undefined) {
    const isBlank = bytes.length < 64 && bytes.toString('latin1').trim() === ''
    return { type: 'error', error: badBody(isBlank ? 'empty_response' : 'bad_response_body') }
  }
  const words = rules.errorInside?.(parsed)
  if (words !== undefined) return { type: 'error', error: insideError(words) }
  const answer = rules.adjustAnswer === undefined ? parsed : rules.adjustAnswer(parsed)
  return rules.codec.readReply(answer, rules.readUsage, rules.context.fallbackId)
}

/**
 * Collects a stream into one reply; `undefined` if it contained no events, because then the body may be a
 * whole response.
 */
function collect(bytes: Buffer, rules: ReadRules): ReadReply | undefined {
  const { codec, readUsage, context, openFrames = () => new FrameReader() } = rules
  const frames = openFrames()
  const reader = codec.openReader(readUsage, context.fallbackId)
  const all = [...frames.push(bytes), ...frames.end()].flatMap((frame) => [...reader.push(frame)])
  const events = [...all, ...reader.end()]
  if (events.length === 0) return undefined
  const collector = new ReplyCollector()
  for (const event of events) collector.push(event)
  if (collector.error !== undefined) return { type: 'error', error: collector.error }
  if (!collector.isComplete) return { type: 'error', error: badBody('bad_response_body') }
  return { type: 'reply', reply: collector.reply() }
}

/** If the upstream reported no usage, the caller gets local counts. */
function counted(reply: Reply, { context }: PairRules): Reply {
  if (reply.usage !== undefined) return reply
  const { outputTokensCounted: outputText } = readingOf(reply)
  return { ...reply, usage: { ...noUsage, inputText: context.inputTokensCounted, outputText } }
}

function shown(reported: Reply, { thinkingToContent = false, originalTools }: PairRules): Reply {
  const reply = originalTools === undefined ? reported : restoredReply(reported, originalTools)
  if (!thinkingToContent) return reply
  const thinking = new ThinkingToText()
  const collector = new ReplyCollector()
  for (const event of replyToEvents(reply)) for (const each of thinking.push(event)) collector.push(each)
  return collector.reply()
}
