import type { WriteContext } from '@tollgate/dialects/canonical/codec'
import type { PairRules } from '@tollgate/dialects/pair/pair'
import type { PreparedAttempt } from '@tollgate/providers/prepare'
import type { RosterChannel } from '../../books/books.ts'
import type { Held } from '../hold/held.ts'

/** How an answer of this channel becomes one of this caller's. */
export function pairRules(held: Held, channel: RosterChannel, prepared: PreparedAttempt): PairRules {
  const { setting, provider } = channel
  const { spoken } = prepared
  return {
    asked: held.operation,
    caller: held.call.dialect,
    spoken: prepared.operation,
    readUsage: spoken.readUsage,
    choices: held.ask.choices,
    context: writeContext(held),
    thinkingToContent: setting['thinking_to_content'] === true,
    forceFormat: setting['force_format'] === true,
    ...(provider.errorInside && { errorInside: provider.errorInside }),
    ...(spoken.codec && { codec: spoken.codec }),
    ...(spoken.openFrames && { openFrames: spoken.openFrames }),
    ...(spoken.adjustAnswer && { adjustAnswer: spoken.adjustAnswer }),
    ...(spoken.adjustChunk && { adjustChunk: spoken.adjustChunk }),
  }
}

function writeContext({ call, ask, bounds }: Held): WriteContext {
  return {
    model: ask.model,
    fallbackId: call.id,
    nowSeconds: Math.floor(call.startedMs / 1000),
    inputTokensCounted: bounds.inputTokensCounted,
    wantsUsage: ask.wantsUsage === true,
  }
}
