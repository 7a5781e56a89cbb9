import { readLlamaUsage } from '@tollgate/dialects/openai-usage'
import { dashboardBalance } from './define/balance.ts'
import { bearer } from './define/credentials.ts'
import { defineProvider } from './define/define-provider.ts'
import { openaiModels } from './define/model-list.ts'
import { openaiModelNames } from './define/openai-models.ts'
import {
  legacyOperations,
  openai as at,
  openaiChat,
  openaiCompact,
  openaiPaths,
  openaiRealtime,
  openaiResponses,
} from './define/openai.ts'
import { behindGateway, segment } from './define/url.ts'
import { chatByTraits, responsesByTraits } from './quirks/openai-traits.ts'
import { withoutForeignTopK } from './quirks/sampling.ts'
import { soraUpstream } from './tasks/sora.ts'

const authHeaders = bearer(({ organization }): Record<string, string> =>
  organization === '' ? {} : { 'openai-organization': organization },
)

/** Also used for every OpenAI-compatible server, such as llama.cpp. */
export const openai = defineProvider({
  id: 'openai',
  type: 1,
  label: 'OpenAI',
  baseUrl: 'https://api.openai.com',
  authHeaders,
  tasks: soraUpstream,
  endpoints: {
    ...at([...legacyOperations, 'search'], (path) => ({ url: behindGateway(path, '/v1') })),
    ...at(['completions', 'embeddings'], (path) => ({
      url: behindGateway(path, '/v1'),
      readUsage: readLlamaUsage,
    })),
    realtime: [
      openaiRealtime({
        url: (outgoing, upstream) =>
          behindGateway(`/v1/realtime?model=${segment(outgoing.model)}`, '/v1')(outgoing, upstream),
        // Preview models use the first version of the protocol, which must be requested with this header.
        authHeaders: (upstream, outgoing) => ({
          ...authHeaders(upstream, outgoing),
          ...(outgoing.model.includes('-realtime-preview') && { 'openai-beta': 'realtime=v1' }),
        }),
      }),
    ],
    responses: [
      openaiResponses({
        url: behindGateway(openaiPaths.responses, '/v1'),
        quirks: responsesByTraits,
        hasSocket: true,
      }),
    ],
    compact: [openaiCompact({ url: behindGateway(openaiPaths.compact, '/v1') })],
    chat: [
      openaiChat({
        url: behindGateway(openaiPaths.chat, '/v1'),
        quirks: [...chatByTraits, withoutForeignTopK],
        readUsage: readLlamaUsage,
        yieldsToResponses: true,
        takesSearch: 'by-model',
      }),
    ],
  },
  models: openaiModelNames,
  modelList: openaiModels(),
  balance: dashboardBalance,
})
