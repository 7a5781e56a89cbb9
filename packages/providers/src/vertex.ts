import { isRecord } from '@tollgate/dialects/json'
import { anthropic } from './anthropic.ts'
import { anthropicMessages } from './build/anthropic.ts'
import { geminiAction, geminiContent } from './build/conversations.ts'
import { defineProvider } from './build/define.ts'
import { openaiChat } from './build/openai.ts'
import { segment } from './build/url.ts'
import { gemini } from './gemini.ts'
import { omit, onBody, type Body } from './quirks/body.ts'
import { claudeThinking } from './quirks/claude-thinking.ts'
import { geminiSafety } from './quirks/gemini-safety.ts'
import { googleTokens } from './sign/google-token.ts'
import { claudeName, projectOf, VERTEX_URL, vertexUrl } from './vertex/place.ts'

const CLAUDE = /^claude/
const OPEN = /llama|-maas/

/** The project is in the key. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference */
export const vertex = defineProvider({
  id: 'vertex',
  type: 41,
  label: 'Vertex AI',
  baseUrl: VERTEX_URL,
  credentials: { hint: 'service account JSON', check: (key) => void projectOf(key) },
  otherLabel: { en: 'Region, or regions by model as JSON', zh: '区域，或按模型的区域 JSON' },
  tokens: googleTokens,
  sign: ({ key, accessToken = '' }) => ({
    authorization: `Bearer ${accessToken}`,
    'x-goog-user-project': projectOf(key),
  }),
  speaks: {
    messages: [
      anthropicMessages({
        models: CLAUDE,
        url: vertexUrl(
          ({ model, isStream }) =>
            `publishers/anthropic/models/${segment(claudeName(model)).replace('%40', '@')}:${isStream ? 'streamRawPredict?alt=sse' : 'rawPredict'}`,
        ),
        quirks: [
          ...claudeThinking,
          onBody((body) => ({ ...omit(body, 'model'), anthropic_version: 'vertex-2023-10-16' })),
        ],
        fetchesUrls: false,
      }),
    ],
    chat: [
      openaiChat({ models: OPEN, url: vertexUrl(() => 'endpoints/openapi/chat/completions', 'v1beta1') }),
    ],
    generate: [
      geminiContent({
        models: /^(?!claude)(?!.*(?:llama|-maas))/,
        url: vertexUrl(
          (outgoing) => `publishers/google/models/${segment(outgoing.model)}:${geminiAction(outgoing)}`,
        ),
        quirks: [geminiSafety, onBody(withoutCallIds)],
      }),
    ],
  },
  models: ['meta/llama3-405b-instruct-maas', ...anthropic.models, ...gemini.models],
})

/** Calls and results are matched by their order here, and ids are refused. */
function withoutCallIds(body: Body): Body {
  const contents: unknown = body['contents']
  return Array.isArray(contents) ? { ...body, contents: contents.map(withoutIds) } : body
}

function withoutIds(content: unknown): unknown {
  if (!isRecord(content) || !Array.isArray(content['parts'])) return content
  return { ...content, parts: content['parts'].map(withoutId) }
}

function withoutId(part: unknown): unknown {
  if (!isRecord(part)) return part
  const name = ['functionCall', 'functionResponse'].find((each) => isRecord(part[each]))
  const inner = name === undefined ? undefined : part[name]
  return name !== undefined && isRecord(inner) ? { ...part, [name]: omit(inner, 'id') } : part
}
