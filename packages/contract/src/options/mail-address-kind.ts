import { z } from 'zod'
import { type About, define, type OptionDefinition } from './definition.ts'

/** RFC 5321, 4.5.3.1: 64 characters, the sign and 255 characters. */
const ADDRESS_CHARACTERS_MAX = 320
const NAME_CHARACTERS_MAX = 200
const ADDRESS = /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+$/

/** One mail address, or nothing. Of `Support <support@example.com>`, which many services show, the address is kept. */
export function defineMailAddress(about: About): OptionDefinition<string> {
  return define({
    kind: 'text',
    default: '',
    about,
    allowed: {
      en: 'one mail address such as no-reply@example.com',
      zh: '一个邮箱地址，例如 no-reply@example.com',
    },
    schema: z
      .string()
      .max(ADDRESS_CHARACTERS_MAX + NAME_CHARACTERS_MAX)
      .overwrite(readAddress)
      .max(ADDRESS_CHARACTERS_MAX)
      .refine((address) => address === '' || ADDRESS.test(address)),
    print: String,
  })
}

function readAddress(text: string): string {
  const line = text.trim()
  const [, address] = /^[^<>\r\n]*<([^<>\r\n]*)>$/.exec(line) ?? []
  return (address ?? line).trim()
}
