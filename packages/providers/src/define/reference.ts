import { resolveEndpoint } from '../prepare.ts'
import type { Provider } from '../provider.ts'

export const CALLERS = [
  ['chat', 'OpenAI chat'],
  ['messages', 'Anthropic Messages'],
  ['responses', 'OpenAI Responses'],
  ['generate', 'Gemini'],
] as const

/** Generates the page `docs/reference/providers.md` from the registry, so that the two cannot drift apart. */
export function providerReference(providers: readonly Provider[]): string {
  const rows = providers
    .filter(({ endpoints }) => Object.keys(endpoints).length > 0)
    .toSorted((a, b) => a.type - b.type)
    .map((provider) => {
      const cells = CALLERS.map(([caller]) => {
        const options = resolveEndpoint(provider, caller)
        return options === undefined ? '–' : options.operation === caller ? 'as it is' : 'converted'
      })
      return `| ${[provider.type, provider.label, ...cells, resolveEndpoint(provider, 'embeddings') === undefined ? '–' : 'yes'].join(' | ')} |`
    })
  const titles = ['type', 'provider', ...CALLERS.map(([, title]) => `${title} callers`), 'embeddings']
  return [
    HEAD,
    ...table(titles, rows),
    '',
    MEDIA_HEAD,
    ...mediaTable(providers),
    '',
    TASK_HEAD,
    ...taskTable(providers),
    '',
  ].join('\n')
}

/** The media operations, as columns of the second table. */
export const MEDIA = [
  ['rerank', 'rerank'],
  ['images', 'images'],
  ['image-edits', 'image edits'],
  ['image-variations', 'variations'],
  ['speech', 'speech'],
  ['transcriptions', 'transcriptions'],
  ['translations', 'translations'],
  ['realtime', 'Realtime'],
  ['search', 'web search'],
] as const

function mediaTable(providers: readonly Provider[]): string[] {
  const rows = providers
    .filter(({ endpoints }) => MEDIA.some(([operation]) => endpoints[operation] !== undefined))
    .toSorted((a, b) => a.type - b.type)
    .map(({ type, label, endpoints }) => {
      const cells = MEDIA.map(([operation]) => (endpoints[operation] === undefined ? '–' : 'yes'))
      return `| ${[type, label, ...cells].join(' | ')} |`
    })
  return table(['type', 'provider', ...MEDIA.map(([, title]) => title)], rows)
}

/** The paths of asynchronous tasks, by platform. */
const DOORS: Readonly<Record<string, string>> = {
  mj: '`/mj/…`',
  suno: '`/suno/…`',
  video: '`/v1/videos`, `/v1/video/generations`, `/kling/v1/videos/…`, `/jimeng`',
}

function taskTable(providers: readonly Provider[]): string[] {
  const rows = providers
    .toSorted((a, b) => a.type - b.type)
    .flatMap(({ type, label, tasks }) =>
      tasks === undefined ? [] : `| ${[type, label, DOORS[tasks.platform] ?? ''].join(' | ')} |`,
    )
  return table(['type', 'provider', 'paths'], rows)
}

const TASK_HEAD = `## On their own time

Drawings, songs and videos are handed in, and asked after until they are done. Each is charged when the upstream takes it and given
back once if it fails or is lost. A video needs a fixed price (\`ModelPrice\`): that is the price of one second of it, and for \`sora-\`
models in 1792x1024 or 1024x1792 it is multiplied by 1.666667. Who names no length gets the vendor's usual one: 4 seconds of Sora, 6
of Hailuo, 8 of Veo, 5 of the others. Channels of Gemini (24) and Vertex AI (41) make videos of Veo, of Qwen (17) Wan, of MiniMax (35) Hailuo; Veo takes
pictures only as data, not by their address. \`metadata\` of a request is handed on to the vendor, but for what decides the price.

Videos of Seedance (54, 45) may be priced by their tokens instead, by a ratio (\`ModelRatio\`, times the completion ratio where one is
set). What they can have at most is charged when the task is taken: width x height x 24 x seconds / 1024 and a quarter more, at 1080p
where no size is named. On completion the tokens that Ark tells (\`usage.total_tokens\`) are what is paid, and the rest is given back
with an entry of its own in the usage log. Where it tells none that can be true its formula counts, at 720p where no size is named;
more than what was charged first is never paid.

### Prices by quality

A video may have a price of its own by how it is made, under the model's name with \`@\` and the words for its qualities behind it, joined
by \`+\` in any order: \`viduq1@720p\`, \`kling-v1@pro\`, \`doubao-seedance-1-5-pro-251215@1080p+audio\`.

| quality | words | told as |
|---|---|---|
| lines | \`720p\`, \`1080p\`, … | \`size\`, \`resolution\` |
| mode | \`std\`, \`pro\`, … | \`mode\` |
| sound | \`audio\`, \`silent\` | \`generate_audio\`, \`audio\` or \`sound\`, in the words of any vendor |
| service | \`flex\`, \`off-peak\`, … | \`service_tier\`, \`off_peak\` |
| length | \`5s\`, \`10s\`, … | \`seconds\`, \`duration\` |
| more | \`voice\`, \`rec\`, \`tools\` | \`voice_list\`, \`is_rec\`, \`tools\` that are not empty |

Of all prices whose words fit a video, the one with most words counts; among those with equally many, the one with the quality that
comes first in this table. Where none fits, the model's own price does, and so it does for what nobody named. The vendor is told each
quality in its own words; what it has no word for is refused, so nobody pays for sound or waits for a price that the vendor never
heard of. Kling is told no lines: who names them alone gets the mode that has them (720p \`std\`, 1080p \`pro\`, 2160p \`4k\`), and counts as both.
The lines of Jimeng are those of its model. For Vidu and Veo \`audio\` and \`silent\` need a model that can be told.

Lines are named 360p, 480p, 540p, 720p, 1080p, 1440p, 2160p or 4320p, and those between count as the next below, so
768P of Hailuo is \`720p\`. They are read from \`size\` and \`resolution\` alike; where both are told they have to agree. All of these
may stand within \`metadata\` as well. What the vendor makes when nothing is named costs what its model does, but for Vidu, which is then
asked for 1080p.
`

function table(titles: readonly string[], rows: readonly string[]): string[] {
  return [`| ${titles.join(' | ')} |`, `|${titles.map(() => '---').join('|')}|`, ...rows]
}

const MEDIA_HEAD = `## Beyond texts

What else a channel serves. Callers always speak the OpenAI dialect here; where a vendor has a form of its own, such as rankings of
Qwen (17) or pictures of Gemini (24) and MiniMax (35), the call and its answer are rewritten.

A web search by itself (\`/v1/alpha/search\`, as Codex makes them) goes on as it is to channels that serve the same path. It is charged as
one call of the tool \`web_search\` at the price of the model that is named, without tokens; a fixed price of that model is paid besides.

Pictures come as they are asked for: with \`response_format\` \`b64_json\` the gateway fetches what a vendor tells the address of, from
public addresses alone, and with \`url\` the bytes of a vendor come as a data URL. A picture that was made and cannot be fetched is an
error, and costs nothing. Edits come as a form or as JSON, with up to 16 pictures in \`image\` or \`images\`; vendors who take JSON alone,
such as Qwen, Volcano Engine (45), SiliconCloud (40) and xAI (48), get them as data URLs or by the address that was given, Gemini (24)
and Vertex AI (41) as the bytes, which the gateway fetches from public addresses. Of these only xAI and \`wanx2.1-imageedit\` have a
\`mask\`, handed on as it is (what is white changes); the others refuse one.

Models of Gemini that converse draw one picture a call. A \`size\` becomes the nearest of their ratios, and the nearest of 1K, 2K and 4K
where a model has several (those of generation 2 have one); \`quality\` \`high\` or \`hd\` is at least 2K. A call they refuse to draw for is
answered with 400 and their own words, costs nothing, and is not tried elsewhere. Models of Cloudflare (39) draw one picture a call too,
of the \`size\` that is asked for where the model can; its FLUX.2 models, which want forms, are not served.
`

const HEAD = `# Providers

What a channel of each type does for callers of each dialect. **As it is**: the provider speaks the caller's dialect, and bytes
pass through untouched but for the model's name and what the operator configured. **Converted**: the call and its answer go through
the canonical form; what the provider's dialect cannot say is listed in [dialects.md](dialects.md).

Some rows need a word. AWS frames streams in a form of its own, so only whole answers of type 33 pass untouched; its streams carry the
same events, framed anew. Its cells hold for Claude; all its other models are converted to the form that they share. Vertex AI (41)
speaks the dialect of the model that is called: Messages for Claude, Gemini for Gemini, chat for the open models; its cells hold for
those. Responses of Cloudflare (39) are those of the models it serves them for. Channels of OpenAI (1) and Azure (3) ask models that
their vendor answers at Responses alone there, also for callers of chat ([models.md](models.md)). Advanced custom (58) serves what the channel's own
table of routes says, and everything without one.

Callers speak one of the four dialects of the columns, or OpenAI's for the rest, so the clients to call the gateway with are those of
OpenAI, Anthropic and Google and whatever is built on them. The clients of Cohere and Ollama speak dialects that only their vendors
serve: those vendors are reached through the gateway by the clients above.
`
