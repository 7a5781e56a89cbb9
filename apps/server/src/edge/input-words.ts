import type { Language } from '@tollgate/problems/problem'
import type { z } from 'zod'

type Issue = z.core.$ZodRawIssue
type Words = Readonly<Record<Language, string>>

/**
 * Describes what is wrong with a field; the text is appended to the field's name: `quota must be at least 0`.
 * It is written for a person who fills in a form, so it avoids the schema library's terms.
 */
export function faultWords(issue: Issue): Words {
  if (issue.code !== 'unrecognized_keys' && issue.input === undefined)
    return { en: 'is required', zh: '为必填项' }
  switch (issue.code) {
    case 'invalid_type':
      return kindWords([issue.expected])
    case 'too_small':
      return smallWords(issue)
    case 'too_big':
      return bigWords(issue)
    case 'invalid_value':
      return valueWords(issue.values.map(String))
    case 'invalid_format':
      return formatWords(issue)
    case 'not_multiple_of':
      return { en: `must be a multiple of ${issue.divisor}`, zh: `应为 ${issue.divisor} 的倍数` }
    case 'unrecognized_keys':
      return {
        en: `has unknown fields: ${issue.keys.join(', ')}`,
        zh: `包含未知字段：${issue.keys.join('、')}`,
      }
    case 'invalid_union':
      return unionWords(issue)
    case 'custom':
    case 'invalid_key':
    case 'invalid_element':
    default:
      return NOT_ALLOWED
  }
}

const NOT_ALLOWED: Words = { en: 'has a value that is not allowed', zh: '的值不符合要求' }

const KINDS: Readonly<Record<string, Words>> = {
  string: { en: 'text', zh: '文本' },
  number: { en: 'a number', zh: '数字' },
  int: { en: 'a whole number', zh: '整数' },
  boolean: { en: 'true or false', zh: 'true 或 false' },
  array: { en: 'a list', zh: '列表' },
  object: { en: 'an object', zh: '对象' },
  record: { en: 'an object', zh: '对象' },
  null: { en: 'null', zh: 'null' },
}

function kindWords(kinds: readonly string[]): Words {
  const words = [...new Set(kinds)].map((kind) => KINDS[kind] ?? { en: kind, zh: kind })
  return {
    en: `must be ${words.map(({ en }) => en).join(' or ')}`,
    zh: `应为${words.map(({ zh }) => zh).join('或')}`,
  }
}

type Bound = Readonly<{ origin: string; inclusive?: boolean | undefined }>

function smallWords({ origin, minimum, inclusive }: Bound & { minimum: number | bigint }): Words {
  if (origin === 'string' || origin === 'array') {
    if (Number(minimum) <= 1) return { en: 'must not be empty', zh: '不能为空' }
    return {
      en: `must have at least ${minimum} ${unit(origin).en}`,
      zh: `至少需要 ${minimum} ${unit(origin).zh}`,
    }
  }
  if (inclusive === false) return { en: `must be greater than ${minimum}`, zh: `应大于 ${minimum}` }
  return { en: `must be at least ${minimum}`, zh: `不能小于 ${minimum}` }
}

function bigWords({ origin, maximum, inclusive }: Bound & { maximum: number | bigint }): Words {
  if (origin === 'string' || origin === 'array')
    return {
      en: `may have at most ${maximum} ${unit(origin).en}`,
      zh: `最多 ${maximum} ${unit(origin).zh}`,
    }
  if (inclusive === false) return { en: `must be less than ${maximum}`, zh: `应小于 ${maximum}` }
  return { en: `may be at most ${maximum}`, zh: `不能大于 ${maximum}` }
}

function unit(origin: string): Words {
  return origin === 'string' ? { en: 'characters', zh: '个字符' } : { en: 'entries', zh: '项' }
}

function valueWords(values: readonly string[]): Words {
  if (values.length === 1) return { en: `must be ${values.join()}`, zh: `应为 ${values.join()}` }
  return { en: `must be one of ${values.join(', ')}`, zh: `应为以下之一：${values.join('、')}` }
}

function formatWords({ format }: { readonly format: string }): Words {
  if (format === 'email') return { en: 'is not an e-mail address', zh: '不是有效的邮箱地址' }
  if (format === 'url') return { en: 'is not a web address', zh: '不是有效的网址' }
  return { en: 'is not in the right format', zh: '格式不正确' }
}

/** The value must be one of several types; the text names them if they are primitive. */
function unionWords({ errors }: { readonly errors: readonly (readonly z.core.$ZodIssue[])[] }): Words {
  const kinds = errors.map(([first]) => (first?.code === 'invalid_type' ? first.expected : undefined))
  const simple = kinds.filter((kind) => kind !== undefined)
  if (simple.length > 0 && simple.length === kinds.length) return kindWords(simple)
  return NOT_ALLOWED
}
