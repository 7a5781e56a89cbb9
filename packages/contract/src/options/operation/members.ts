import { z } from 'zod'
import { json } from '../json-kinds.ts'
import { section } from '../section.ts'

const RULES = ['take-out', 'refuse', 'pass'] as const
const GROUPS_MAX = 200
const GROUP_CHARACTERS_MAX = 64

/** Entries such as `chat reasoning.depth`: a wire format and the path of a member. */
const HARMLESS_MAX = 200
const HARMLESS = /^[a-z-]{1,24} [\x21-\x7e]{1,64}$/

const rulesSchema = z
  .array(z.strictObject({ group: z.string().min(1).max(GROUP_CHARACTERS_MAX), rule: z.enum(RULES) }))
  .max(GROUPS_MAX)

export const membersSection = section({
  key: 'members',
  title: { en: 'Unknown request members', zh: '未知的请求参数' },
  purpose: {
    en: 'Vendors invent members of requests. What a new one costs is not known until somebody looks.',
    zh: '上游会不断增加请求参数；在有人确认之前，新参数的费用是未知的。',
  },
  settings: {
    'member_setting.unknown_members': json(rulesSchema, [], {
      label: { en: 'Rules by group', zh: '按分组设置' },
      help: {
        en: 'Without a rule, unknown members pass for accounts that have paid and are taken out for others. The answer names them in “x-tollgate-dropped”. Members that choose a model, an address or a key never pass.',
        zh: '未设置时：已付费账户的未知参数原样转发，其他账户的会被移除，并在响应头 x-tollgate-dropped 中列出。用于选择模型、地址或密钥的参数一律不转发。',
      },
      allowed: {
        en: 'a JSON list of group and rule; a rule is take-out, refuse or pass',
        zh: '由 group 和 rule 组成的 JSON 列表，rule 为 take-out、refuse 或 pass',
      },
    }),
    'member_setting.harmless_members': json(z.array(z.string().regex(HARMLESS)).max(HARMLESS_MAX), [], {
      label: { en: 'Harmless members', zh: '无害的参数' },
      help: {
        en: 'These pass for every account, although the tables do not know them. The page “Unknown members” adds to this list.',
        zh: '对所有账户放行，即使内置表中没有。可在“未知参数”页面一键添加。',
      },
      allowed: {
        en: 'a JSON list of texts such as “chat reasoning.depth”: wire format and path',
        zh: 'JSON 文本列表，例如 “chat reasoning.depth”：接口格式与参数路径',
      },
    }),
  },
})
