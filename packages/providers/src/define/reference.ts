import { resolveEndpoint } from '../prepare/resolve-endpoint.ts'
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
        return options === undefined ? '–' : options.operation === caller ? 'native' : 'converted'
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
const PATHS: Readonly<Record<string, string>> = {
  mj: '`/mj/…`',
  suno: '`/suno/…`',
  video: '`/v1/videos`, `/v1/video/generations`, `/kling/v1/videos/…`, `/jimeng`',
}

function taskTable(providers: readonly Provider[]): string[] {
  const rows = providers
    .toSorted((a, b) => a.type - b.type)
    .flatMap(({ type, label, tasks }) =>
      tasks === undefined ? [] : `| ${[type, label, PATHS[tasks.platform] ?? ''].join(' | ')} |`,
    )
  return table(['type', 'provider', 'paths'], rows)
}

const TASK_HEAD = `## Tasks

Drawings, songs and videos are tasks: a caller submits one and polls it until it is finished. A task is charged when the upstream accepts it, and
refunded once if it fails or is lost. A video needs a fixed price (\`ModelPrice\`), which is the price of one second; for \`sora-\`
models in 1792x1024 or 1024x1792 it is multiplied by 1.666667. Without a requested length the vendor's default applies: 4 seconds for Sora, 6
for Hailuo, 8 for Veo, 5 for the others. Channels of Gemini (24) and Vertex AI (41) create Veo videos, Qwen (17) Wan, MiniMax (35) Hailuo. Veo accepts
images as data only, not as URLs. \`metadata\` of a request is forwarded to the vendor, except members that affect the price.

Seedance videos (54, 45) can be priced by tokens instead, with a ratio (\`ModelRatio\`, times the completion ratio if one is
set). The maximum is charged when the task is accepted: width x height x 24 x seconds / 1024 plus a quarter, at 1080p
if no size is given. When the video is finished, the tokens that Ark reports (\`usage.total_tokens\`) are charged, and the rest is refunded
with a separate entry in the usage log. If Ark reports no plausible number, the formula is used, at 720p if no size is given.
The charge never exceeds the first one.

### Prices by quality

A video can have a price for its qualities: the model's name, \`@\`, and the quality words, joined
by \`+\` in any order: \`viduq1@720p\`, \`kling-v1@pro\`, \`doubao-seedance-1-5-pro-251215@1080p+audio\`.

| quality | words | request members |
|---|---|---|
| resolution | \`720p\`, \`1080p\`, … | \`size\`, \`resolution\` |
| mode | \`std\`, \`pro\`, … | \`mode\` |
| sound | \`audio\`, \`silent\` | \`generate_audio\`, \`audio\` or \`sound\`, in the format of any vendor |
| service | \`flex\`, \`off-peak\`, … | \`service_tier\`, \`off_peak\` |
| length | \`5s\`, \`10s\`, … | \`seconds\`, \`duration\` |
| other | \`voice\`, \`rec\`, \`tools\` | \`voice_list\`, \`is_rec\`, \`tools\` if not empty |

Of all prices whose words match a video, the one with the most words applies; with equally many words, the one with the quality that
comes first in this table. If none matches, or the request names no quality, the model's own price applies. Each quality is sent to the
vendor in its own format; a quality that the vendor does not support is rejected, so that nobody pays for it. Kling has no resolution
parameter: if only a resolution is given, the mode with that resolution is used (720p \`std\`, 1080p \`pro\`, 2160p \`4k\`), and both count for the price.
The resolution of Jimeng follows from its model. For Vidu and Veo, \`audio\` and \`silent\` need a model with a sound option.

Resolutions are named 360p, 480p, 540p, 720p, 1080p, 1440p, 2160p or 4320p; values in between count as the next lower one, so
Hailuo's 768P is \`720p\`. They are read from \`size\` and \`resolution\`; if both are given they must agree. All of these
members can also be in \`metadata\`. A video without requested qualities costs the model's price, except that Vidu is then
asked for 1080p.
`

function table(titles: readonly string[], rows: readonly string[]): string[] {
  return [`| ${titles.join(' | ')} |`, `|${titles.map(() => '---').join('|')}|`, ...rows]
}

const MEDIA_HEAD = `## Media, rankings and searches

Callers always use the OpenAI dialect here. If a vendor has its own format, such as rankings of
Qwen (17) or images of Gemini (24) and MiniMax (35), the call and its answer are converted.

A separate web search (\`/v1/alpha/search\`, used by Codex) is forwarded unchanged to channels that have the same path. It is charged as
one call of the tool \`web_search\` at the price of the named model, without tokens; a fixed price of that model is charged in addition.

Images are returned in the requested form: with \`response_format\` \`b64_json\` the gateway fetches the vendor's URL, from
public addresses only; with \`url\` the vendor's bytes become a data URL. An image that was generated but cannot be fetched is an
error and costs nothing. Edits can be sent as a form or as JSON, with up to 16 images in \`image\` or \`images\`. Vendors that accept JSON only,
such as Qwen, Volcano Engine (45), SiliconCloud (40) and xAI (48), get them as data URLs or the given URL. Gemini (24)
and Vertex AI (41) get the bytes, which the gateway fetches from public addresses. Of these only xAI and \`wanx2.1-imageedit\` support a
\`mask\`, which is forwarded unchanged (white areas change); the others reject one.

Conversational Gemini models generate one image per call. A \`size\` becomes the nearest supported aspect ratio, and the nearest of 1K, 2K and 4K
if the model has several (generation 2 has one). \`quality\` \`high\` or \`hd\` selects at least 2K. If the model refuses to generate an image, the call is
answered with 400 and the model's text, costs nothing, and is not tried elsewhere. Cloudflare models (39) also generate one image per call,
in the requested \`size\` if the model supports it; its FLUX.2 models, which need forms, are not supported.
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
