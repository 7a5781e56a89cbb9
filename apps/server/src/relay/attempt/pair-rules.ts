import type { WriteContext } from '@tollgate/dialects/canonical/codec'
import { shortMembersOf } from '@tollgate/dialects/ask-tree'
import type { PairRules } from '@tollgate/dialects/pair/pair'
import { isVectors, wantedVectors } from '@tollgate/dialects/vectors/pair'
import type { PreparedAttempt } from '@tollgate/providers/prepare'
import type { RosterChannel } from '../../books/books.ts'
import type { Held } from '../hold/held.ts'

/** How an answer of this channel becomes one of this caller's. */
export function pairRules(held: Held, channel: RosterChannel, prepared: PreparedAttempt): PairRules {
  const { setting, provider } = channel
  const { spoken, originalTools } = prepared
  const { adjustAnswer, errorInside = provider.errorInside } = spoken
  const asked = shortMembersOf(held.ask)
  return {
    asked: held.operation,
    caller: held.call.dialect,
    spoken: prepared.operation,
    readUsage: spoken.readUsage,
    choices: held.ask.choices,
    context: writeContext(held),
    ...vectorsOf(held, prepared),
    thinkingToContent: setting['thinking_to_content'] === true,
    forceFormat: setting['force_format'] === true,
    packsVectors: asked['encoding_format'] === 'base64',
    isCollected: prepared.isStream && !held.ask.isStream,
    ...(originalTools !== undefined && originalTools.size > 0 && { originalTools }),
    ...(isPlainText(asked['response_format']) && { isPlainText: true }),
    ...(errorInside && { errorInside }),
    ...(spoken.codec && { codec: spoken.codec }),
    ...(spoken.openFrames && { openFrames: spoken.openFrames }),
    ...(adjustAnswer && { adjustAnswer: (answer) => adjustAnswer(answer, held.ask.body) }),
    ...(spoken.readSound && { readSound: spoken.readSound }),
    ...(spoken.adjustChunk && { adjustChunk: spoken.adjustChunk }),
  }
}

/** Only an answer that is written anew needs to know. */
function vectorsOf({ operation, ask }: Held, prepared: PreparedAttempt): Pick<PairRules, 'vectors'> {
  const isConverted = isVectors(operation) && operation !== prepared.operation
  return isConverted ? { vectors: wantedVectors(operation, ask.body) } : {}
}

/** Transcripts that are no JSON. */
function isPlainText(format: unknown): boolean {
  return format === 'text' || format === 'srt' || format === 'vtt'
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
