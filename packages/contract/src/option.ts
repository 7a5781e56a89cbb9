import { z } from 'zod'
import { CONSOLE_BODY_BYTES_MAX, defineRoute, siteReading, siteWriting } from './route.ts'

/**
 * One setting as text. A secret is never shown: its value is empty, and `is_set` says whether there is one.
 */
export const optionSchema = z.object({
  key: z.string(),
  value: z.string(),
  is_set: z.boolean().optional(),
  /** Number of changes of this setting; 0 while it has its default. */
  version: z.int(),
})

export const optionUpdateSchema = z.object({
  key: z.string().min(1).max(200),
  /**
   * Scripts written for new-api also send numbers and booleans, and their forms omit empty values.
   * `undefined` clears an ordinary setting and keeps a secret.
   */
  value: z
    .union([z.string(), z.number(), z.boolean()])
    .nullish()
    .transform((value) => (value === null || value === undefined ? undefined : String(value))),
  /**
   * The `version` that the change is based on. Our console sends it; the change is refused when the setting
   * was changed in between.
   */
  version: z.int().min(0).optional(),
})

export const optionRoutes = {
  list: defineRoute({
    ...siteReading,
    access: 'root',
    bodyBytesMax: CONSOLE_BODY_BYTES_MAX,
    path: '/api/option',
    summary: 'Every site setting',
    data: z.array(optionSchema),
  }),
  update: defineRoute({
    ...siteWriting,
    access: 'root',
    method: 'PUT',
    path: '/api/option',
    badBodyStatus: 400,
    guardedWhen: {
      condition: 'the setting affects access to accounts or where secrets go',
      signIn: 'recent',
    },
    summary: 'Changes one site setting, validated by its key',
    body: optionUpdateSchema,
    data: z.null(),
  }),
}
