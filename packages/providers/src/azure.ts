import { keyLike } from './define/credentials.ts'
import { defineProvider } from './define/define-provider.ts'
import { openaiModelNames } from './define/openai-models.ts'
import {
  openai,
  openaiChat,
  openaiPaths,
  openaiRealtime,
  openaiResponses,
  type OpenAiEndpoint,
} from './define/openai.ts'
import { behindGateway, joinUrl, segment } from './define/url.ts'
import type { Outgoing, Upstream } from './provider.ts'
import { chatByTraits, responsesByTraits } from './quirks/openai-traits.ts'
import { withoutForeignTopK } from './quirks/sampling.ts'

const API_VERSION = '2025-04-01-preview'
/** Deployments created before this date have the dots removed from their model names: `gpt-35-turbo`. */
const DOTS_KEPT_SINCE = Date.UTC(2025, 4, 10) / 1000

/** https://learn.microsoft.com/azure/ai-services/openai/reference */
export const azure = defineProvider({
  id: 'azure',
  type: 3,
  label: 'Azure OpenAI',
  hostsOpenAi: true,
  address: {
    help: {
      en: 'The endpoint of the resource: everything before /openai.',
      zh: '资源终结点，即 /openai 之前的部分。',
    },
    example: 'https://my-resource.openai.azure.com',
  },
  credentials: keyLike('api-key'),
  other: { label: { en: 'Default API version', zh: '默认 API 版本' }, staysAtOrigin: true },
  authHeaders: ({ key }) => ({ 'api-key': key }),
  endpoints: {
    ...openai(
      ['completions', 'embeddings', 'images', 'image-edits', 'speech', 'transcriptions', 'translations'],
      deployed,
    ),
    realtime: [openaiRealtime({ url: realtimeUrl })],
    chat: [
      openaiChat({
        ...deployed(openaiPaths.chat),
        quirks: [...chatByTraits, withoutForeignTopK],
        yieldsToResponses: true,
        takesSearch: 'by-model',
      }),
    ],
    responses: [openaiResponses({ url: responsesUrl, quirks: responsesByTraits, hasSocket: true })],
  },
  models: openaiModelNames,
})

/**
 * For Responses the model is in the body, not in the path. The operator may set the API version; one kind of
 * host (`cognitiveservices.azure.com`) supports dated versions only.
 */
function responsesUrl({ query }: Outgoing, upstream: Upstream): string {
  const { baseUrl, other, settings } = upstream
  const version = query.get('api-version') ?? settings.azureResponsesVersion
  const { hostname } = new URL(baseUrl)
  return hostname.endsWith('.cognitiveservices.azure.com')
    ? joinUrl(baseUrl, `/openai/responses?api-version=${segment(version ?? (other || API_VERSION))}`)
    : joinUrl(baseUrl, `/openai/v1/responses?api-version=${segment(version ?? 'preview')}`)
}

function realtimeUrl(outgoing: Outgoing, upstream: Upstream): string {
  const place = `/openai/realtime?deployment=${deployment(outgoing, upstream)}&${version(outgoing, upstream)}`
  return joinUrl(upstream.baseUrl, place)
}

function deployment({ model }: Outgoing, { createdTime }: Upstream): string {
  return segment(createdTime < DOTS_KEPT_SINCE ? model.replaceAll('.', '') : model)
}

function version({ query }: Outgoing, { other }: Upstream): string {
  return `api-version=${segment(query.get('api-version') ?? (other || API_VERSION))}`
}

function deployed(path: string): OpenAiEndpoint {
  const task = path.replace('/v1/', '')
  return {
    url: (outgoing, upstream) => {
      const name = deployment(outgoing, upstream)
      const place = `/openai/deployments/${name}/${task}?${version(outgoing, upstream)}`
      return behindGateway(place, '/openai/deployments')(outgoing, upstream)
    },
  }
}
