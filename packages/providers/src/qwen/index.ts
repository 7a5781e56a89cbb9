import { isRecord, recordAt } from '@tollgate/dialects/json'
import { anthropicBearer, anthropicMessages } from '../define/anthropic.ts'
import { bearer } from '../define/credentials.ts'
import { defineProvider, names } from '../define/define-provider.ts'
import { openaiModels } from '../define/model-list.ts'
import {
  openaiChat,
  openaiCompletions,
  openaiEmbeddings,
  openaiRerank,
  openaiResponses,
} from '../define/openai.ts'
import { qwenEdits } from './edits.ts'
import { qwenOrders, qwenPictures } from './pictures.ts'
import type { Outgoing } from '../provider.ts'
import { forModels, isTold, onBody, type Body } from '../quirks/body.ts'
import { olderOutputLimit } from '../quirks/output-limit.ts'
import { clampTopP } from '../quirks/sampling.ts'
import { wanUpstream } from '../tasks/wan.ts'

/** Open models that think by default, which they support in streams only. */
const HYBRID = /^qwen3-[\d.]+b(?:-a[\d.]+b)?$/

/** https://help.aliyun.com/zh/model-studio/compatibility-of-openai-with-dashscope */
export const qwen = defineProvider({
  id: 'qwen',
  type: 17,
  label: 'Qwen',
  baseUrl: 'https://dashscope.aliyuncs.com',
  other: {
    label: { en: 'Plugins (X-DashScope-Plugin)', zh: '插件参数 (X-DashScope-Plugin)' },
    staysAtOrigin: true,
  },
  authHeaders: bearer(({ other }, { isStream }) => ({
    ...(isStream ? { 'x-dashscope-sse': 'enable' } : {}),
    ...(other === '' ? {} : { 'x-dashscope-plugin': other }),
  })),
  endpoints: {
    chat: [
      openaiChat({
        path: '/compatible-mode/v1/chat/completions',
        quirks: [clampTopP({ min: 0.01, max: 0.99 }), olderOutputLimit, forModels(HYBRID, withoutThinking)],
      }),
    ],
    messages: [
      anthropicMessages({
        path: '/apps/anthropic/v1/messages',
        models: /qwen|deepseek-v4|kimi|glm|minimax-m/i,
        authHeaders: anthropicBearer,
      }),
    ],
    responses: [openaiResponses({ path: '/api/v2/apps/protocols/compatible-mode/v1/responses' })],
    completions: [openaiCompletions({ path: '/compatible-mode/v1/completions' })],
    embeddings: [openaiEmbeddings({ path: '/compatible-mode/v1/embeddings' })],
    images: [qwenPictures, qwenOrders],
    'image-edits': qwenEdits,
    rerank: [
      openaiRerank({
        path: '/api/v1/services/rerank/text-rerank/text-rerank',
        quirks: [onBody(asRanking)],
        adjustAnswer: fromRanking,
      }),
    ],
  },
  tasks: wanUpstream,
  models: names(
    'qwen-turbo qwen-plus qwen-max qwen-max-longcontext text-embedding-v1 qwq-32b qwen3-235b-a22b gte-rerank-v2 wan2.5-t2v-preview wan2.5-i2v-preview',
  ),
  modelList: openaiModels('/compatible-mode/v1/models'),
})

/**
 * https://help.aliyun.com/zh/model-studio/deep-thinking. If the client set `enable_thinking`, it is passed
 * on, and the vendor's error is the response.
 */
function withoutThinking(outgoing: Outgoing): Outgoing {
  const { isStream, body } = outgoing
  if (isStream || isTold(body, 'enable_thinking')) return outgoing
  return { ...outgoing, body: { ...body, enable_thinking: false } }
}

/** Writes a rerank request in the vendor's format. https://help.aliyun.com/zh/model-studio/text-rerank-api */
function asRanking({ model, query, documents, top_n: top, ...rest }: Body): Body {
  const texts = Array.isArray(documents) ? documents.map(textOfDocument) : documents
  const isShown = isTold(rest, 'return_documents') ? rest['return_documents'] : true
  const parameters = { ...(top !== undefined && { top_n: top }), return_documents: isShown }
  return { model, input: { query, documents: texts }, parameters }
}

function textOfDocument(document: unknown): unknown {
  return isRecord(document) && typeof document['text'] === 'string' ? document['text'] : document
}

function fromRanking(answer: Record<string, unknown>): Record<string, unknown> {
  const results = recordAt(answer, 'output')?.['results']
  return results === undefined ? answer : { id: answer['request_id'], results, usage: answer['usage'] }
}
