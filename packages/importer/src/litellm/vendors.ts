/**
 * Providers of LiteLLM, which stand before the model's name (`groq/llama-3`), with the number of their channel here.
 * Those that speak OpenAI's format without a number of their own get its number and their address.
 * Source: docs.litellm.ai/docs/providers, 2026-10,the schema of its database.
 */
export interface LitellmVendor {
  readonly type: number
  readonly address?: string
}

const OPENAI = 1

export const litellmVendors: Readonly<Record<string, LitellmVendor>> = {
  openai: { type: OPENAI },
  text_completion_openai: { type: OPENAI },
  azure: { type: 3 },
  anthropic: { type: 14 },
  gemini: { type: 24 },
  vertex_ai: { type: 41 },
  bedrock: { type: 33 },
  mistral: { type: 42 },
  deepseek: { type: 43 },
  openrouter: { type: 20 },
  xai: { type: 48 },
  ollama: { type: 4 },
  ollama_chat: { type: 4 },
  cohere: { type: 34 },
  cohere_chat: { type: 34 },
  perplexity: { type: 27 },
  moonshot: { type: 25 },
  dashscope: { type: 17 },
  volcengine: { type: 45 },
  jina_ai: { type: 38 },
  replicate: { type: 56 },
  groq: { type: OPENAI, address: 'https://api.groq.com/openai' },
  together_ai: { type: OPENAI, address: 'https://api.together.xyz' },
  fireworks_ai: { type: OPENAI, address: 'https://api.fireworks.ai/inference' },
  nvidia_nim: { type: OPENAI, address: 'https://integrate.api.nvidia.com' },
  cerebras: { type: OPENAI, address: 'https://api.cerebras.ai' },
  hosted_vllm: { type: OPENAI },
  litellm_proxy: { type: OPENAI },
}
