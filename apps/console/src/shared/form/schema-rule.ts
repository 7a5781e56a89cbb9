import type { FormRule } from 'antd'
import type { z } from 'zod'
import { checkRule } from './check-rule.ts'

/**
 * A form rule that uses the same schema as the server. It accepts an empty value, which `isRequired` checks.
 */
export function schemaRule(schema: z.ZodType, message: string): FormRule {
  return checkRule((value) => value === undefined || value === '' || schema.safeParse(value).success, message)
}
