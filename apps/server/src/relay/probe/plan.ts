import { readAsk } from '@tollgate/dialects/ask'
import type { Ask } from '@tollgate/dialects/dialect'
import type { Language } from '@tollgate/problems/problem'
import { resolveEndpoint } from '@tollgate/providers/prepare/resolve-endpoint'
import type { RosterChannel } from '../../snapshots/snapshots.ts'
import type { Operation } from '../operations/operation.ts'
import { probeTexts } from './texts.ts'
import { probedOperation } from './probed-operation.ts'
import { upstreamModel } from '../upstream-model.ts'

const FALLBACK_MODEL = 'gpt-4o-mini'

/** The request of a channel test. */
export interface ProbePlan {
  /** Language of the messages. */
  readonly language: Language
  readonly operation: Operation
  /** The offered model name, without a channel prefix. */
  readonly model: string
  readonly ask: Ask
}

/** Plans the request. A string is the message that says why the channel cannot be tested. */
export function planOf(
  channel: RosterChannel,
  { model: asked, language }: { model: string | undefined; language: Language },
): ProbePlan | string {
  const texts = probeTexts[language]
  const { modelPrefix, testModel, models, provider } = channel
  const named = asked || testModel || models[0] || FALLBACK_MODEL
  const model = modelPrefix !== '' && named.startsWith(modelPrefix) ? named.slice(modelPrefix.length) : named
  const upstream = upstreamModel(channel, { asked: named, offered: model })
  if (upstream === undefined) return texts.circular(named)
  const operation = probedOperation(upstream, ({ wire }) => resolveEndpoint(provider, wire) !== undefined)
  if (operation?.probe === undefined) return texts.untestable(provider.label)
  const body = Buffer.from(JSON.stringify(operation.probe.body({ asked: named, upstream })))
  return { language, operation, model, ask: readAsk(operation.wire, body) }
}
