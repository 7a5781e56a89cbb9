import { invariant } from '@tollgate/kit/invariant'
import { AsideTap } from '../aside/aside-tap.ts'
import { MessageListener } from '../anthropic/message-listener.ts'
import { codecOf, conversations, isConversation, type ConversationOperation } from '../conversations.ts'
import { BodyOrStreamTap, type TappedStream } from '../stream/body-or-stream.ts'
import type { StreamTap } from '../stream/stream-tap.ts'
import { isMedia } from '../media/operation.ts'
import { MediaStream } from '../media/media-stream.ts'
import { transformOf } from '../openai/transform.ts'
import { openStreamTap } from '../openai/stream-tap.ts'
import { geminiFastPath } from '../gemini/fast-path.ts'
import { responsesFastPath } from '../responses/fast-path.ts'
import { AnnouncedTap } from './announced-tap.ts'
import { AnswerName } from './answer-name.ts'
import { ConvertedStream } from './converted-stream.ts'
import type { PairRules } from './pair.ts'
import { PassingStream, type Listener } from './passing-stream.ts'
import { ReaderListener } from './reader-listener.ts'
import { RenamingTap } from './renaming-tap.ts'

/**
 * Opens the tap between an upstream's stream and its caller. Bytes pass unchanged if both use the same
 * dialect.
 */
export function openTap(rules: PairRules): StreamTap {
  const tap = openAnnouncedTap(rules)
  // Streams of lines only. A chat that nothing changes passes long lines in pieces.
  const isPassed =
    rules.asked === rules.endpoint &&
    (rules.asked === 'chat' || rules.asked === 'completions') &&
    transformOf(rules) === undefined
  return rules.openFrames !== undefined || (isPassed && rules.answerModel === undefined)
    ? tap
    : new AsideTap(tap)
}

function openAnnouncedTap(rules: PairRules): StreamTap {
  const tap = openNamedTap(rules)
  const isText = isConversation(rules.asked) || rules.asked === 'completions'
  return isText ? new AnnouncedTap(tap, rules) : tap
}

function openNamedTap(rules: PairRules): StreamTap {
  const tap = openUnnamedTap(rules)
  if (rules.answerModel === undefined || !isUnconverted(rules)) return tap
  return new RenamingTap(tap, new AnswerName(rules.asked, rules.answerModel))
}

/** Converted answers have the name already. */
function isUnconverted({ asked, endpoint }: PairRules): boolean {
  return asked === endpoint
}

function openUnnamedTap(rules: PairRules): StreamTap {
  const { asked, endpoint, context } = rules
  if (asked === endpoint && (asked === 'chat' || asked === 'completions')) {
    const { inputTokensCounted, wantsUsage } = context
    return openStreamTap({ ...rules, operation: asked, forwardsUsage: wantsUsage, inputTokensCounted })
  }
  return new BodyOrStreamTap(isMedia(asked) ? new MediaStream(rules) : openConversation(rules))
}

function openConversation(rules: PairRules): TappedStream {
  const { asked, endpoint } = rules
  const codec = codecOf(endpoint, rules.codec)
  invariant(isConversation(asked) && codec !== undefined, 'only conversations are streamed')
  // Bytes can pass only if dialect and framing are those of the caller.
  const isSame = rules.openFrames === undefined && rules.caller === conversations[asked].caller
  if (asked !== endpoint || !isSame) return new ConvertedStream({ ...rules, codec })
  return new PassingStream(rules, listenerFor(asked, rules))
}

function listenerFor(asked: ConversationOperation, rules: PairRules): Listener {
  if (asked === 'messages') return new MessageListener(rules)
  return new ReaderListener(rules, asked, asked === 'responses' ? responsesFastPath : geminiFastPath)
}
