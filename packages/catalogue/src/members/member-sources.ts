import type { MemberSource } from './member-row.ts'

/** The documents of the tables, each with the day on which its rows were written. */
const WRITTEN = '2026-11-29'

function document(url: string): MemberSource {
  return { url, date: WRITTEN }
}

export const OPENAI_CHAT = document('https://platform.openai.com/docs/api-reference/chat/create')
export const OPENAI_RESPONSES = document('https://platform.openai.com/docs/api-reference/responses/create')
export const OPENAI_COMPLETIONS = document(
  'https://platform.openai.com/docs/api-reference/completions/create',
)
export const OPENAI_EMBEDDINGS = document('https://platform.openai.com/docs/api-reference/embeddings/create')
export const OPENAI_IMAGES = document('https://platform.openai.com/docs/api-reference/images/create')
export const OPENAI_AUDIO = document('https://platform.openai.com/docs/api-reference/audio')
export const OPENAI_REALTIME = document(
  'https://platform.openai.com/docs/api-reference/realtime-client-events',
)
export const OPENAI_VIDEOS = document('https://platform.openai.com/docs/api-reference/videos/create')
export const OPENAI_TOOLS = document('https://platform.openai.com/docs/guides/tools')
export const ANTHROPIC_MESSAGES = document('https://platform.claude.com/docs/en/api/messages/create')
export const ANTHROPIC_SDK = document('https://www.npmjs.com/package/@anthropic-ai/sdk/v/1.8.0')
export const ANTHROPIC_TOOLS = document(
  'https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview',
)
export const ANTHROPIC_ADVISOR = document(
  'https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool',
)
export const ANTHROPIC_COMPACTION = document(
  'https://platform.claude.com/docs/en/build-with-claude/compaction',
)
export const ANTHROPIC_FALLBACKS = document('https://github.com/mozex/anthropic-laravel/releases/tag/1.8.0')
export const GEMINI_GENERATE = document('https://ai.google.dev/api/generate-content')
export const GEMINI_EMBED = document('https://ai.google.dev/api/embeddings')
export const GEMINI_OPENAI = document('https://ai.google.dev/gemini-api/docs/openai')
export const VERTEX_GENERATE = document(
  'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
)
export const OPENROUTER_API = document('https://openrouter.ai/docs/api-reference/overview')
export const OPENROUTER_MODELS = document('https://openrouter.ai/docs/guides/routing/model-fallbacks')
export const OPENROUTER_PROVIDER = document('https://openrouter.ai/docs/guides/routing/provider-selection')
export const OPENROUTER_PRESETS = document('https://openrouter.ai/docs/guides/features/presets')
export const OPENROUTER_PLUGINS = document('https://openrouter.ai/docs/guides/features/plugins')
export const PERPLEXITY_CHAT = document('https://docs.perplexity.ai/api-reference/chat-completions-post')
export const LITELLM_INPUT = document('https://docs.litellm.ai/docs/completion/input')
export const LITELLM_FALLBACKS = document('https://docs.litellm.ai/docs/proxy/client_side_fallbacks')
export const LITELLM_OVERRIDES = document('https://docs.litellm.ai/docs/proxy/clientside_auth')
export const ASSEMBLYAI_FALLBACKS = document('https://assemblyai.com/docs/llm-gateway/fallback')
export const PORTKEY_ROUTES = document('https://portkey.ai/docs/product/ai-gateway/fallbacks')
export const AZURE_CHAT = document('https://learn.microsoft.com/azure/ai-foundry/openai/reference')
export const BEDROCK_CONVERSE = document(
  'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html',
)
export const XAI_CHAT = document('https://docs.x.ai/docs/api-reference')
export const MISTRAL_CHAT = document('https://docs.mistral.ai/api')
export const DEEPSEEK_CHAT = document('https://api-docs.deepseek.com/api/create-chat-completion')
export const MOONSHOT_CHAT = document('https://platform.moonshot.ai/docs/api/chat')
export const QWEN_CHAT = document('https://help.aliyun.com/zh/model-studio/qwen-api-reference')
export const ZHIPU_CHAT = document('https://docs.bigmodel.cn/api-reference')
export const BAIDU_CHAT = document('https://cloud.baidu.com/doc/qianfan-api/s/3m7of64lb')
export const HUNYUAN_CHAT = document('https://cloud.tencent.com/document/product/1729/111007')
export const VOLCANO_CHAT = document('https://www.volcengine.com/docs/82379/1494384')
export const VOLCANO_IMAGES = document('https://www.volcengine.com/docs/82379/1541523')
export const MINIMAX_CHAT = document('https://platform.minimax.io/docs/api-reference/text-openai-api')
export const GROQ_CHAT = document('https://console.groq.com/docs/api-reference')
export const TOGETHER_CHAT = document('https://docs.together.ai/reference/chat-completions-1')
export const FIREWORKS_CHAT = document('https://docs.fireworks.ai/api-reference/post-chatcompletions')
export const COHERE_CHAT = document('https://docs.cohere.com/reference/chat')
export const COHERE_RERANK = document('https://docs.cohere.com/reference/rerank')
export const JINA_API = document('https://api.jina.ai/redoc')
export const VOYAGE_EMBEDDINGS = document('https://docs.voyageai.com/reference/embeddings-api')
export const VLLM_SERVER = document('https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html')
export const LLAMA_SERVER = document('https://github.com/ggml-org/llama.cpp/tree/master/tools/server')
export const OLLAMA_CHAT = document('https://github.com/ollama/ollama/blob/main/docs/api.md')
export const TGI_SERVER = document('https://huggingface.co/docs/text-generation-inference/messages_api')
export const SILICONFLOW_API = document('https://docs.siliconflow.cn/cn/api-reference')
export const DASHSCOPE_IMAGES = document(
  'https://help.aliyun.com/zh/model-studio/text-to-image-v2-api-reference',
)
export const REPLICATE_API = document('https://replicate.com/docs/reference/http')
export const COZE_CHAT = document('https://www.coze.com/docs/developer_guides/chat_v3')
export const DIFY_CHAT = document('https://docs.dify.ai/api-reference')
export const MINIMAX_SPEECH = document('https://platform.minimax.io/docs/api-reference/speech-t2a-http')
export const KLING_VIDEOS = document('https://app.klingai.com/global/dev/document-api')
export const JIMENG_VIDEOS = document('https://www.volcengine.com/docs/85621')
export const VIDU_VIDEOS = document('https://platform.vidu.com/docs')
export const MIDJOURNEY_PROXY = document('https://github.com/novicezk/midjourney-proxy')
export const SUNO_API = document('https://github.com/Suno-API/Suno-API')
export const TOLLGATE_API = document('docs/reference/members.md')
