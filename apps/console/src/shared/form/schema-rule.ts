import type { FormRule } from 'antd'
import type { z } from 'zod'

/**
 * A form rule that uses the same schema as the server. It accepts an empty value, which `isRequired` checks.
 */
export function schemaRule(schema: z.ZodType, message: string): FormRule {
  return {
    validator: (_rule, value: unknown) =>
      value === undefined || value === '' || schema.safeParse(value).success
        ? Promise.resolve()
        : Promise.reject(new Error(message)),
  }
}
