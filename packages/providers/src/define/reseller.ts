import type { Provider } from '../provider.ts'
import { chatByTraits } from '../quirks/openai-traits.ts'
import { defineProvider } from './define-provider.ts'
import { openaiModels } from './model-list.ts'
import { openaiModelNames } from './openai-models.ts'
import { legacyOperations, openai, openaiChat, openaiRealtime } from './openai.ts'

/**
 * Defines a vendor that resells OpenAI's models at OpenAI's paths with a plain key: all operations except
 * Responses. Without a base URL the vendor's host is `api.<id>.com`.
 */
export function defineReseller(house: Reseller): Provider {
  return defineProvider({
    baseUrl: `https://api.${house.id}.com`,
    endpoints: {
      ...openai(legacyOperations),
      realtime: [openaiRealtime()],
      chat: [openaiChat({ quirks: chatByTraits, takesSearch: 'by-model' })],
    },
    models: openaiModelNames,
    modelList: openaiModels(),
    ...house,
  })
}

type Reseller = Pick<Provider, 'id' | 'type' | 'label' | 'baseUrl' | 'balance'>
