type Vendor = 'openai' | 'anthropic' | 'google'

/**
 * Tools that only one vendor's models can run. Any other tool, such as one an operator defined, may run with
 * any model.
 */
const VENDOR_OF_TOOL: ReadonlyMap<string, Vendor> = new Map([
  ['web_search_preview', 'openai'],
  ['file_search', 'openai'],
  ['image_generation', 'openai'],
  ['code_interpreter', 'openai'],
  ['hosted_shell', 'openai'],
  ['anthropic_code_execution', 'anthropic'],
  ['google_search', 'google'],
  ['google_enterprise_search', 'google'],
  ['google_maps', 'google'],
])

const VENDORS: readonly { readonly vendor: Vendor; readonly sign: RegExp }[] = [
  { vendor: 'anthropic', sign: /claude/i },
  { vendor: 'google', sign: /gemini/i },
  { vendor: 'openai', sign: /^(?:gpt-|chatgpt-|codex-|o\d|computer-use)/i },
]

/** Owner of a model that no provider lists: it may be any vendor's model under another name. */
const UNKNOWN = 'custom'

/** Whether the price of a tool is relevant for a model: a tool of another vendor never runs with it. */
export function isToolOf(
  tool: string,
  { model, owner }: { readonly model: string; readonly owner: string },
): boolean {
  const vendor = VENDOR_OF_TOOL.get(tool)
  if (vendor === undefined) return true
  const own = VENDORS.find(({ sign }) => sign.test(model))?.vendor
  return own === undefined ? owner === UNKNOWN : own === vendor
}
