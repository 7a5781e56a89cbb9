import type { ReadReply, UpstreamCodec } from '../canonical/codec.ts'
import { ReplyCollector } from '../canonical/collect.ts'
import type { ReplyEvent } from '../canonical/event.ts'
import { readingOf } from '../canonical/reading.ts'
import type { Reply } from '../canonical/reply.ts'
import { splitReply } from '../canonical/split.ts'
import { codecOf, isConversation } from '../conversations.ts'
import type { UpstreamError } from '../dialect.ts'
import { parseObject } from '../json.ts'
import { readAnswer, type Answer } from '../openai/answer.ts'
import { replayAsStream } from '../openai/replay.ts'
import { badBody, insideError } from '../openai/upstream-error.ts'
import type { PairRules } from './pair.ts'
import { ThinkingToText } from './thinking-to-text.ts'

/** Reads a whole answer that came with a 2xx status, and says what the caller gets. Never throws. */
export function readWhole(bytes: Buffer, rules: PairRules): Answer {
  const { asked, spoken } = rules
  if (asked === spoken && (asked === 'chat' || !isConversation(asked)))
    return readAnswer({ ...rules, operation: asked, bytes })
  const codec = codecOf(spoken, rules.codec)
  if (!isConversation(asked) || codec === undefined) return failed(bytes, badBody('bad_response_body'))
  const read = readReply(bytes, { ...rules, codec })
  if (read.type === 'error') return failed(bytes, read.error)
  const reading = readingOf(read.reply)
  if (asked === spoken) return { bytes, reading }
  const body = rules.caller.writeReply(shown(read.reply, rules), rules.context)
  return { bytes: Buffer.from(JSON.stringify(body)), reading }
}

/** The same for a caller who asked for a stream: all of it, with its end. */
export function readWholeAsStream(bytes: Buffer, rules: PairRules): Answer {
  const { asked, spoken } = rules
  const codec = codecOf(spoken, rules.codec)
  if (isConversation(asked) && codec !== undefined && (asked !== 'chat' || spoken !== 'chat')) {
    const read = readReply(bytes, { ...rules, codec })
    if (read.type === 'error') return failed(bytes, read.error)
    const frames = writeAll(splitReply(shown(read.reply, rules)), rules)
    return { bytes: Buffer.concat(frames), reading: readingOf(read.reply) }
  }
  const answer = readWhole(bytes, rules)
  if (answer.reading.error !== undefined) return answer
  return { ...answer, bytes: replayAsStream(answer.bytes, { forwardsUsage: rules.context.wantsUsage }) }
}

function writeAll(events: readonly ReplyEvent[], { caller, context }: PairRules): Buffer[] {
  const writer = caller.openWriter(context)
  return events.flatMap((event) => writer.push(event))
}

function readReply(bytes: Buffer, rules: PairRules & { readonly codec: UpstreamCodec }): ReadReply {
  const parsed = parseObject(bytes)
  if (parsed === undefined) {
    const isBlank = bytes.length < 64 && bytes.toString('latin1').trim() === ''
    return { type: 'error', error: badBody(isBlank ? 'empty_response' : 'bad_response_body') }
  }
  const words = rules.errorInside?.(parsed)
  if (words !== undefined) return { type: 'error', error: insideError(words) }
  const answer = rules.adjustAnswer === undefined ? parsed : rules.adjustAnswer(parsed)
  return rules.codec.readReply(answer, rules.readUsage)
}

function shown(reply: Reply, { thinkingToContent = false }: PairRules): Reply {
  if (!thinkingToContent) return reply
  const thinking = new ThinkingToText()
  const collector = new ReplyCollector()
  for (const event of splitReply(reply)) for (const each of thinking.push(event)) collector.push(each)
  return collector.reply()
}

function failed(bytes: Buffer, error: UpstreamError): Answer {
  const reading = {
    usage: undefined,
    finish: undefined,
    outputTokensCounted: 0,
    hasOutput: false,
    isComplete: false,
    error,
  }
  return { bytes, reading }
}
