import { invariant } from '@tollgate/kit/invariant'
import { MessageTap } from '../anthropic/stream-tap.ts'
import { codecOf, conversations, isConversation } from '../conversations.ts'
import type { StreamTap } from '../dialect.ts'
import { openStreamTap } from '../openai/stream-tap.ts'
import { ConvertingTap } from './converting-tap.ts'
import { PassingTap } from './passing-tap.ts'
import type { PairRules } from './pair.ts'

/** The tap between an upstream's stream and its caller: bytes pass where both speak one dialect. */
export function openTap(rules: PairRules): StreamTap {
  const { asked, spoken, context } = rules
  if (asked === spoken && (asked === 'chat' || asked === 'completions')) {
    const { inputTokensCounted, wantsUsage } = context
    return openStreamTap({ ...rules, operation: asked, forwardsUsage: wantsUsage, inputTokensCounted })
  }
  const codec = codecOf(spoken, rules.codec)
  invariant(isConversation(asked) && codec !== undefined, 'only conversations are streamed')
  // Bytes pass where the dialect and its frames are the caller's.
  const isSame = rules.openFrames === undefined && rules.caller === conversations[asked].caller
  if (asked !== spoken || !isSame) return new ConvertingTap({ ...rules, codec })
  return asked === 'messages' ? new MessageTap(rules) : new PassingTap({ ...rules, spoken: asked })
}
