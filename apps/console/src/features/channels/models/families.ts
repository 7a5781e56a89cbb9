/** Model families, recognised by the start of the name, for the categories of the picker. */
const families: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  {
    name: 'OpenAI',
    pattern: /^(?:gpt|chatgpt|o\d|text-|dall-e|tts|whisper|davinci|babbage|omni-|codex|sora)/,
  },
  { name: 'Claude', pattern: /^(?:anthropic\.)?claude/ },
  { name: 'Gemini', pattern: /^(?:gemini|gemma|imagen|veo|learnlm|palm)/ },
  { name: 'DeepSeek', pattern: /deepseek/ },
  { name: 'Qwen', pattern: /qwen|qwq|qvq/ },
  { name: 'Grok', pattern: /^grok/ },
  { name: 'Llama', pattern: /llama/ },
  { name: 'Mistral', pattern: /mi[sx]tral|codestral|pixtral|ministral|devstral|magistral/ },
  { name: 'GLM', pattern: /glm|cogview|cogvideo/ },
  { name: 'Doubao', pattern: /doubao|skylark/ },
  { name: 'Moonshot', pattern: /moonshot|kimi/ },
  { name: 'ERNIE', pattern: /ernie/ },
  { name: 'Hunyuan', pattern: /hunyuan/ },
  { name: 'Cohere', pattern: /command|^c4ai|rerank|embed-/ },
  { name: 'MiniMax', pattern: /minimax|abab/ },
  { name: 'Midjourney', pattern: /^(?:mj_|swap_face)/ },
  { name: 'Suno', pattern: /^suno/ },
]

/** Returns "" for a name that belongs to no family. */
export function familyOf(model: string): string {
  const name = model.toLowerCase()
  const last = name.slice(name.lastIndexOf('/') + 1)
  return families.find(({ pattern }) => pattern.test(last) || pattern.test(name))?.name ?? ''
}

export interface Family {
  readonly name: string
  readonly models: readonly string[]
}

/** Families in the order of the list above, unknown models last; names are sorted within a family. */
export function byFamily(models: readonly string[]): readonly Family[] {
  const groups = Map.groupBy(models, familyOf)
  return [...families.map(({ name }) => name), ''].flatMap((name) => {
    const members = groups.get(name)
    return members === undefined ? [] : [{ name, models: members.toSorted((a, b) => a.localeCompare(b)) }]
  })
}
