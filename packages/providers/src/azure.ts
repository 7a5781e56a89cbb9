import { keyLike } from './build/credentials.ts'
import { defineProvider } from './build/define.ts'
import { openaiModelNames } from './build/openai-models.ts'
import { openai, openaiChat, openaiPaths, type OpenAiWay } from './build/openai.ts'
import { behindGateway, segment } from './build/url.ts'
import { reasoningModels } from './quirks/reasoning-models.ts'

const API_VERSION = '2025-04-01-preview'
/** Deployments made before lost the dots of their models: `gpt-35-turbo`. */
const DOTS_KEPT_SINCE = Date.UTC(2025, 4, 10) / 1000

/** https://learn.microsoft.com/azure/ai-services/openai/reference */
export const azure = defineProvider({
  id: 'azure',
  type: 3,
  label: 'Azure OpenAI',
  credentials: keyLike('api-key'),
  otherLabel: { en: 'Default API version', zh: '默认 API 版本' },
  sign: ({ key }) => ({ 'api-key': key }),
  speaks: {
    ...openai(['completions', 'embeddings', 'images', 'speech', 'transcriptions', 'translations'], deployed),
    chat: [openaiChat({ ...deployed(openaiPaths.chat), quirks: reasoningModels })],
  },
  models: openaiModelNames,
})

function deployed(path: string): OpenAiWay {
  const task = path.replace('/v1/', '')
  return {
    url: (outgoing, upstream) => {
      const { model, query } = outgoing
      const name = upstream.createdTime < DOTS_KEPT_SINCE ? model.replaceAll('.', '') : model
      const version = query.get('api-version') ?? (upstream.other || API_VERSION)
      const place = `/openai/deployments/${segment(name)}/${task}?api-version=${segment(version)}`
      return behindGateway(place, '/openai/deployments')(outgoing, upstream)
    },
  }
}
