import type { FormRule } from 'antd'
import type { z } from 'zod'

/** The rule of a field by the same schema the server checks it with. Empty is for `isRequired` to judge. */
export function schemaRule(schema: z.ZodType, message: string): FormRule {
  return {
    validator: (_rule, value: unknown) =>
      value === undefined || value === '' || schema.safeParse(value).success
        ? Promise.resolve()
        : Promise.reject(new Error(message)),
  }
}
