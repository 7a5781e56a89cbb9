import { invariant } from '@tollgate/kit/invariant'
import { MessageListener } from '../anthropic/message-listener.ts'
import { codecOf, conversations, isConversation, type ConversationOperation } from '../conversations.ts'
import type { StreamTap } from '../stream/stream-tap.ts'
import { isMedia } from '../media/operation.ts'
import { MediaTap } from '../media/tap.ts'
import { openStreamTap } from '../openai/stream-tap.ts'
import { geminiFastPath } from '../gemini/fast-path.ts'
import { responsesFastPath } from '../responses/fast-path.ts'
import { ConvertingTap } from './converting-tap.ts'
import type { PairRules } from './pair.ts'
import { PassingTap, type Listener } from './passing-tap.ts'
import { ReaderListener } from './reader-listener.ts'

/**
 * Opens the tap between an upstream's stream and its caller. Bytes pass unchanged if both use the same
 * dialect.
 */
export function openTap(rules: PairRules): StreamTap {
  const { asked, endpoint, context } = rules
  if (isMedia(asked)) return new MediaTap(rules)
  if (asked === endpoint && (asked === 'chat' || asked === 'completions')) {
    const { inputTokensCounted, wantsUsage } = context
    return openStreamTap({ ...rules, operation: asked, forwardsUsage: wantsUsage, inputTokensCounted })
  }
  const codec = codecOf(endpoint, rules.codec)
  invariant(isConversation(asked) && codec !== undefined, 'only conversations are streamed')
  // Bytes can pass only if dialect and framing are those of the caller.
  const isSame = rules.openFrames === undefined && rules.caller === conversations[asked].caller
  if (asked !== endpoint || !isSame) return new ConvertingTap({ ...rules, codec })
  return new PassingTap(rules, listenerFor(asked, rules))
}

function listenerFor(asked: ConversationOperation, rules: PairRules): Listener {
  if (asked === 'messages') return new MessageListener(rules)
  return new ReaderListener(rules, asked, asked === 'responses' ? responsesFastPath : geminiFastPath)
}
