import type { CallOperation } from '@tollgate/dialects/conversations'

/** The request of a channel test, chosen by the upstream name of the model. */

/** The operation that fits the model's name, if the channel supports it; else one that it supports. */
export function probeOperation(
  model: string,
  endpoints: (operation: CallOperation) => boolean,
): CallOperation | undefined {
  const inOrder = [operationNamed(model), 'chat', 'embeddings'] as const
  return inOrder.find(endpoints)
}

function operationNamed(model: string): CallOperation {
  if (/rerank/i.test(model)) return 'rerank'
  if (isEmbedding(model)) return 'embeddings'
  return /moderation/i.test(model) ? 'moderations' : 'chat'
}

function isEmbedding(model: string): boolean {
  return /embed/i.test(model) || model.startsWith('m3e') || model.includes('bge-')
}

export function probeBody(
  operation: CallOperation,
  names: { asked: string; upstream: string },
): Record<string, unknown> {
  const model = names.asked
  if (operation === 'embeddings') return { model, input: ['hello world'] }
  if (operation === 'rerank') return { model, query: 'hello', documents: ['hello world'] }
  if (operation === 'moderations') return { model, input: 'hello world' }
  return { model, messages: [{ role: 'user', content: 'hi' }], ...outputLimit(names.upstream) }
}

/** Enough tokens for the model to produce output; Claude models with thinking set their own limit. */
function outputLimit(model: string): Record<string, number> {
  if (/^(?:o\d|gpt-5)/.test(model)) return { max_completion_tokens: 10 }
  if (model.includes('thinking')) return model.includes('claude') ? {} : { max_tokens: 50 }
  return { max_tokens: model.includes('gemini') ? 300 : 10 }
}
