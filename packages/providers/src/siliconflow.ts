import { omitUndefined } from '@tollgate/dialects/canonical/omit-undefined'
import { problem } from '@tollgate/problems/problem'
import { balanceAt } from './define/balance.ts'
import { defineProvider, names } from './define/define-provider.ts'
import { openaiModels } from './define/model-list.ts'
import { editImages, refuseMask } from './define/edit-images.ts'
import { openai, openaiChat, openaiImageEdits, openaiImages, type OpenAiEndpoint } from './define/openai.ts'
import { omit, onBody, renameMember, type Body } from './quirks/body.ts'
import { olderOutputLimit } from './quirks/output-limit.ts'

/** The vendor always returns images by URL, whatever `response_format` is. */
const PICTURES = {
  quirks: [
    renameMember('size', 'image_size'),
    renameMember('n', 'batch_size'),
    onBody((body) => omit(body, 'response_format')),
  ],
  // Some models return their images in `images` instead of `data`.
  adjustAnswer: (answer) => ('data' in answer ? answer : { ...answer, data: answer['images'] }),
} as const satisfies OpenAiEndpoint

/** https://docs.siliconflow.cn/cn/api-reference */
export const siliconflow = defineProvider({
  id: 'siliconflow',
  type: 40,
  label: 'SiliconCloud',
  baseUrl: 'https://api.siliconflow.cn',
  endpoints: {
    ...openai(['completions', 'embeddings', 'rerank', 'speech', 'transcriptions']),
    images: [openaiImages(PICTURES)],
    'image-edits': [
      openaiImageEdits({
        ...PICTURES,
        path: '/v1/images/generations',
        takesForms: false,
        quirks: [onBody(asEdit), ...PICTURES.quirks],
      }),
    ],
    chat: [openaiChat({ quirks: [olderOutputLimit] })],
  },
  models: names(`
    THUDM/glm-4-9b-chat THUDM/chatglm3-6b InstantX/InstantID ByteDance/SDXL-Lightning
    deepseek-ai/deepseek-llm-67b-chat deepseek-ai/DeepSeek-V2-Chat deepseek-ai/DeepSeek-Coder-V2-Instruct
    Qwen/Qwen1.5-7B-Chat Qwen/Qwen1.5-14B-Chat Qwen/Qwen1.5-32B-Chat Qwen/Qwen1.5-110B-Chat
    Qwen/Qwen2-1.5B-Instruct Qwen/Qwen2-7B-Instruct Qwen/Qwen2-57B-A14B-Instruct Qwen/Qwen2-72B-Instruct
    Qwen/Qwen2-Math-72B-Instruct 01-ai/Yi-1.5-6B-Chat 01-ai/Yi-1.5-9B-Chat-16K 01-ai/Yi-1.5-34B-Chat-16K
    internlm/internlm2_5-7b-chat internlm/internlm2_5-20b-chat
    BAAI/bge-large-en-v1.5 BAAI/bge-large-zh-v1.5 BAAI/bge-m3 BAAI/bge-reranker-v2-m3
    Pro/Qwen/Qwen2-7B-Instruct Pro/Qwen/Qwen2-1.5B-Instruct Pro/Qwen/Qwen1.5-7B-Chat Pro/THUDM/glm-4-9b-chat
    Pro/THUDM/chatglm3-6b Pro/01-ai/Yi-1.5-9B-Chat-16K Pro/01-ai/Yi-1.5-6B-Chat Pro/google/gemma-2-9b-it
    Pro/internlm/internlm2_5-7b-chat Pro/meta-llama/Meta-Llama-3-8B-Instruct
    Pro/mistralai/Mistral-7B-Instruct-v0.2 black-forest-labs/FLUX.1-schnell FunAudioLLM/SenseVoiceSmall
    netease-youdao/bce-embedding-base_v1 netease-youdao/bce-reranker-base_v1
  `),
  modelList: openaiModels(),
  balance: balanceAt('/v1/user/info', 'data.totalBalance', 'CNY'),
})

/**
 * The second and third image have members of their own, `image2` and `image3`.
 * https://docs.siliconflow.cn/cn/api-reference/images/images-generations
 */
function asEdit(body: Body): Body {
  refuseMask(body)
  const [image, image2, image3, ...more] = editImages(body)
  if (more.length > 0) throw problem('member_too_long', { param: 'image', max: 3 })
  const others = omit(body, 'image', 'image[]', 'images', 'mask')
  return { ...others, image, ...omitUndefined({ image2, image3 }) }
}
