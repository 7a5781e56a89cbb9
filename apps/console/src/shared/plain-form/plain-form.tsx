import type { ReactNode } from 'react'
import styles from './plain-form.module.css'
import type { PlainFormState } from './use-plain-form.ts'

interface PlainFormProps<Name extends string> {
  readonly form: PlainFormState<Name>
  readonly children: ReactNode
}

/** A form of native fields for pages that must work without the component library. */
export function PlainForm<Name extends string>({ form, children }: PlainFormProps<Name>) {
  return (
    <form id={form.id} className={styles.form} noValidate onSubmit={form.submit}>
      {children}
    </form>
  )
}
