import { wayTo } from '../prepare.ts'
import type { Provider } from '../provider.ts'

const CALLERS = [
  ['chat', 'OpenAI chat'],
  ['messages', 'Anthropic Messages'],
  ['responses', 'OpenAI Responses'],
  ['generate', 'Gemini'],
] as const

/** The page `docs/reference/providers.md`, made from the registry so that the two cannot drift apart. */
export function providerReference(providers: readonly Provider[]): string {
  const rows = providers
    .toSorted((a, b) => a.type - b.type)
    .map((provider) => {
      const cells = CALLERS.map(([caller]) => {
        const way = wayTo(provider, caller)
        return way === undefined ? '–' : way.operation === caller ? 'as it is' : 'converted'
      })
      return `| ${[provider.type, provider.label, ...cells, provider.speaks.embeddings ? 'yes' : '–'].join(' | ')} |`
    })
  const titles = ['type', 'provider', ...CALLERS.map(([, title]) => `${title} callers`), 'embeddings']
  return [HEAD, `| ${titles.join(' | ')} |`, `|${titles.map(() => '---').join('|')}|`, ...rows, ''].join('\n')
}

const HEAD = `# Providers

What a channel of each type does for callers of each dialect. **As it is**: the provider speaks the caller's dialect, and bytes
pass through untouched but for the model's name and what the operator configured. **Converted**: the call and its answer go through
the canonical form; what the provider's dialect cannot say is listed in [dialects.md](dialects.md).

Two rows need a word. AWS frames streams in a form of its own, so only whole answers of type 33 pass untouched; its streams carry the
same events, framed anew. Vertex AI (41) speaks the dialect of the model that is called: Messages for Claude, Gemini for Gemini, chat
for the open models; its cells hold for those.
`
