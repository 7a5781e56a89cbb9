import type { WriteContext } from '@tollgate/dialects/canonical/codec'
import { shortMembersOf } from '@tollgate/dialects/droppable-body'
import type { PairRules } from '@tollgate/dialects/pair/pair'
import { isVectors, readEmbeddingRequest } from '@tollgate/dialects/vectors/pair'
import type { PreparedAttempt } from '@tollgate/providers/prepare'
import type { RosterChannel } from '../../../snapshots/snapshots.ts'
import type { Held } from '../hold/held.ts'
import { chooseAnswerName } from './answer-names.ts'
import type { Prepared } from './prepare.ts'

/** The rules for converting a response of this channel into one for this caller. */
export function pairRules(held: Held, channel: RosterChannel, prepared: Prepared): PairRules {
  const { settings, provider } = channel
  const { endpoint, originalTools } = prepared
  const { adjustAnswer, errorInside = provider.errorInside } = endpoint
  const asked = shortMembersOf(held.ask)
  const answerModel = chooseAnswerName(held.ask, channel, prepared.lessonModel)
  return {
    asked: held.operation.wire,
    caller: held.call.dialect,
    endpoint: prepared.operation,
    readUsage: endpoint.readUsage,
    choices: held.ask.choices,
    context: writeContext(held),
    ...(answerModel !== undefined && { answerModel }),
    ...vectorsOf(held, prepared),
    thinkingToContent: settings.thinkingToContent,
    forceFormat: settings.forceFormat,
    packsVectors: asked['encoding_format'] === 'base64',
    isCollected: prepared.isStream && !held.ask.isStream,
    ...(originalTools !== undefined && originalTools.size > 0 && { originalTools }),
    ...(isPlainText(asked['response_format']) && { isPlainText: true }),
    ...(errorInside && { errorInside }),
    ...(endpoint.codec && { codec: endpoint.codec }),
    ...(endpoint.openFrames && { openFrames: endpoint.openFrames }),
    ...(adjustAnswer && { adjustAnswer: (answer) => adjustAnswer(answer, held.ask.body) }),
    ...(endpoint.extractAudio && { extractAudio: endpoint.extractAudio }),
    ...(endpoint.adjustChunk && { adjustChunk: endpoint.adjustChunk }),
  }
}

/** Needed only when the response is converted. */
function vectorsOf(
  { operation: { wire }, ask }: Held,
  prepared: PreparedAttempt,
): Pick<PairRules, 'vectors'> {
  const isConverted = isVectors(wire) && wire !== prepared.operation
  return isConverted ? { vectors: readEmbeddingRequest(wire, ask.body) } : {}
}

/** Transcript formats that are not JSON. */
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
