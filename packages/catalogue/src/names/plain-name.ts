/**
 * Returns a model name in lower case without the additions of clouds and resellers:
 * `us.anthropic.claude-opus-4-7-v1:0`, `models/gemini-3-pro` and `openai/gpt-5:online` become
 * `claude-opus-4.7`, `gemini-3-pro` and `gpt-5`. Claude models are named by family and version, whatever the
 * order in the name.
 */
export function plainName(model: string): string {
  const name = model
    .slice(model.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/^ft:/, '')
    .replace(/^(?:[a-z]{2,6}\.)?[a-z]{2,12}\.(?=[a-z])/, '')
  const end = name.search(/[:@]/)
  const bare = end < 0 ? name : name.slice(0, end)
  return bare.startsWith('claude-') ? claudeName(bare) : bare
}

/**
 * Reads `claude-opus-4-6-20260101` and the forms of older and resold models, `claude-3-7-sonnet-latest`,
 * `claude-4.6-opus`.
 */
function claudeName(name: string): string {
  const newer = /^claude-([a-z]+)-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(name)
  if (newer !== null) return versioned(newer[1], newer[2], newer[3])
  const older = /^claude-(\d)(?:[-.](\d{1,2}))?-([a-z]+)/.exec(name)
  return older === null ? name : versioned(older[3], older[1], older[2])
}

function versioned(family = '', major = '', minor = '0'): string {
  return `claude-${family}-${major}.${minor}`
}
