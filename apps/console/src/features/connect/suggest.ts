import type { ClientSetup } from '@tollgate/contract/client-setup/setup'
import { AUTO_GROUP, type Token } from '@tollgate/contract/token'
import { TOKEN_STATUS } from '@tollgate/kit/codes'
import { chatModels, type Offer } from '../../shared/chat-models/chat-models.ts'

/** The token that the address names, or the newest; `undefined` if none may spend. */
export function chosenToken(tokens: readonly Token[], id: number): Token | undefined {
  const usable = tokens.filter(({ status }) => status === TOKEN_STATUS.enabled)
  return usable.find((token) => token.id === id) ?? usable[0]
}

interface ModelsInput {
  /** All models of the reader, over all groups. */
  readonly own: readonly string[]
  readonly offers: readonly Offer[] | undefined
  readonly token: Token | undefined
  /** The group of a token without a group of its own. */
  readonly ownGroup: string
}

/** The chat models that the token may call. */
export function modelsOf({ own, offers, token, ownGroup }: ModelsInput): readonly string[] {
  const group = token === undefined || token.group === '' ? ownGroup : token.group
  const models = chatModels(own, { offers, group: group === AUTO_GROUP ? '' : group })
  if (token?.model_limits_enabled !== true) return models
  const allowed = new Set(token.model_limits.split(','))
  return models.filter((model) => allowed.has(model))
}

/** The model that the address names, or one that suits the client. */
export function chosenModel(
  models: readonly string[],
  { asked, prefers }: { readonly asked: string; readonly prefers: ClientSetup['prefers'] },
): string | undefined {
  if (models.includes(asked)) return asked
  return models.find((model) => model.startsWith(prefers)) ?? models[0]
}
