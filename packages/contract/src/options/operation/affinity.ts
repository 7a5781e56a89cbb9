import { affinityRulesSchema } from '../affinity-rules.ts'
import { json } from '../json-kinds.ts'
import { integer, toggle } from '../kinds.ts'
import { section } from '../section.ts'

const DAY_SECONDS = 86_400

/** A binding has about a hundred bytes, and the cache of them 32 MiB. */
const ENTRIES_MAX = 300_000

/** The names are those of new-api; `short_ttl_seconds` is our own. */
export const affinitySection = section({
  key: 'affinity',
  title: { en: 'Session affinity', zh: '会话亲和' },
  purpose: {
    en: 'The calls of a session stay on one channel and key, so that the upstream’s cache of prompts is used.',
    zh: '同一会话的调用固定使用同一渠道和密钥，以便命中上游的提示词缓存。',
  },
  settings: {
    'channel_affinity_setting.enabled': toggle(true, {
      label: { en: 'Keep sessions on a channel and key', zh: '会话固定渠道和密钥' },
      help: {
        en: 'Only among the channels that the call could get anyway: priorities, limits and failures decide first. Callers can switch it off with the header “x-tollgate-affinity: off”.',
        zh: '仅在本次调用原本可用的渠道内生效，优先级、限制和故障处理仍然优先。调用方可用请求头 x-tollgate-affinity: off 关闭。',
      },
    }),
    'channel_affinity_setting.default_ttl_seconds': integer(3600, {
      min: 1,
      max: DAY_SECONDS,
      label: { en: 'Seconds without a call', zh: '保持时间（秒）' },
      help: {
        en: 'A session that makes no call for this long is no longer kept on its channel. A channel can have its own time.',
        zh: '会话在此时间内没有新的调用，就不再固定渠道。渠道可单独设置。',
      },
    }),
    'channel_affinity_setting.short_ttl_seconds': integer(300, {
      min: 1,
      max: DAY_SECONDS,
      label: { en: 'Seconds for short caches', zh: '短缓存的保持时间（秒）' },
      help: {
        en: 'The same for upstreams of Anthropic’s format, which forget a prompt after five minutes unless the caller asks for an hour.',
        zh: '适用于 Anthropic 格式的上游：除非调用方要求一小时缓存，否则上游五分钟后会清除缓存。',
      },
    }),
    'channel_affinity_setting.switch_on_success': toggle(true, {
      label: { en: 'Follow the channel that served', zh: '跟随成功的渠道' },
      help: {
        en: 'When another channel served a call because the first one failed, the session stays on the other one. If off, it returns to the first.',
        zh: '首选渠道失败而由其他渠道完成调用时，会话改为固定在该渠道；关闭后，仍回到原渠道。',
      },
    }),
    'channel_affinity_setting.max_entries': integer(100_000, {
      min: 100,
      max: ENTRIES_MAX,
      label: { en: 'Sessions remembered', zh: '记住的会话数' },
      help: {
        en: 'Beyond this, the session that was used longest ago is no longer kept on its channel. Over Redis, its own memory limit decides.',
        zh: '超出后，最久未使用的会话不再固定渠道。使用 Redis 时，由 Redis 自身的内存上限决定。',
      },
    }),
    'channel_affinity_setting.rules': json(affinityRulesSchema, [], {
      label: { en: 'Rules for sessions', zh: '会话规则' },
      help: {
        en: 'As in new-api: the first rule that fits the model, path and user agent, and finds a value in its key sources, says what the calls of a session have in common. Other calls use the session that the caller names. A session always stays within its user, group and model; templates of overrides have no effect.',
        zh: '与 new-api 相同：第一条匹配模型、路径和 User-Agent 且能从 key_sources 取到值的规则，决定哪些调用属于同一会话；其余调用使用调用方给出的会话。会话始终限定在同一用户、分组和模型之内；参数覆盖模板不生效。',
      },
      allowed: {
        en: 'a JSON list of at most 32 rules with different names, each with key_sources (gjson, request_header, context_int, context_string) and valid patterns (RE2)',
        zh: '最多 32 条规则的 JSON 列表，名称互不相同，每条含 key_sources（gjson、request_header、context_int、context_string），正则为有效的 RE2 语法',
      },
    }),
  },
})
