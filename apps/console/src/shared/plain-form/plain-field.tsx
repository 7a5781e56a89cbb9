import { type ComponentProps, type ReactNode, useState } from 'react'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { Icon } from '../icon/icon.tsx'
import styles from './plain-field.module.css'
import type { PlainFormState } from './use-plain-form.ts'

interface PlainFieldProps<Name extends string> {
  readonly form: PlainFormState<Name>
  readonly name: Name
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly autoComplete: string
  readonly autoCapitalize?: 'off' | 'characters'
  readonly isLarge?: boolean
  /** Focuses the field when the page opens. */
  readonly isFocused?: boolean
  /** One line under the field: its effect, or the result of an action. */
  readonly help?: string | undefined
  /** A button that belongs to the field, shown at its right. */
  readonly beside?: ReactNode
}

/** One labelled field of a `PlainForm`, with its error below. */
export function PlainField<Name extends string>({
  form,
  name,
  label,
  type = 'text',
  isLarge = false,
  isFocused = false,
  help,
  beside,
  ...native
}: PlainFieldProps<Name>) {
  const id = form.idOf(name)
  const error = form.errorOf(name)
  const helpId = `${id}_help`
  const errorId = `${id}_error`
  const described = [...(error === undefined ? [] : [errorId]), ...(help === undefined ? [] : [helpId])]
  const input: ComponentProps<'input'> = {
    autoCapitalize: 'off',
    ...native,
    id,
    autoFocus: isFocused,
    value: form.values[name],
    onChange: (event) => form.change(name, event.target.value),
    spellCheck: false,
    'aria-required': true,
    'aria-invalid': error !== undefined,
    'aria-describedby': described.join(' ') || undefined,
  }
  return (
    <div className={error === undefined ? styles.field : `${styles.field} ${styles.wrong}`}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.row}>
        <div className={isLarge ? `${styles.box} ${styles.large}` : styles.box}>
          {type === 'password' ? <PasswordInput {...input} /> : <input {...input} type={type} />}
        </div>
        {beside}
      </div>
      {error !== undefined && (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      )}
      {help !== undefined && (
        <p id={helpId} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  )
}

function PasswordInput(input: ComponentProps<'input'>) {
  const t = sharedMessages.use()
  const [isShown, setIsShown] = useState(false)
  return (
    <>
      <input {...input} type={isShown ? 'text' : 'password'} />
      <button
        type="button"
        className={styles.eye}
        aria-label={isShown ? t('hide') : t('show')}
        aria-controls={input.id}
        // Keeps the focus and the cursor position in the field.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setIsShown(!isShown)}
      >
        <Icon name={isShown ? 'eye' : 'eyeClosed'} sizePx={14} />
      </button>
    </>
  )
}
