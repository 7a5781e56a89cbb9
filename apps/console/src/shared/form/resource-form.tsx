import { useBlocker } from '@tanstack/react-router'
import { Alert, Button, Drawer, Form, type FormInstance, Skeleton } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { failureText } from '../api/failure.ts'
import { confirm } from '../confirm/confirm.ts'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { notifyDone } from '../notify/notify.ts'
import { newId } from '../ids/new-id.ts'
import { ErrorState } from '../page/error-state.tsx'
import styles from './resource-form.module.css'
import { isSameValue } from './same-value.ts'
import { fieldOf, type ProblemFields, showAtField } from './show-at-field.ts'

interface ResourceFormProps<Value extends object> {
  readonly title: string
  /** `undefined` while it is being loaded: the drawer shows a skeleton. */
  readonly initialValue: Value | undefined
  readonly submitLabel?: string
  /** The form edits a stored object: if nothing was changed, it closes without a call. */
  readonly isEdit?: boolean
  /** Error codes of the server that refer to one field; such errors are shown at that field. */
  readonly problemFields?: ProblemFields<Value>
  /**
   * Resolves when saved. A rejection is shown at its field or above the buttons. The drawer does not close
   * itself.
   */
  readonly onSubmit: (value: Value, attempt: { readonly operationKey: string }) => Promise<unknown>
  readonly onClose: () => void
  /** The error if `initialValue` could not be loaded. */
  readonly loadError?: unknown
  readonly onReload?: () => void
  /** Called with the names of the invalid fields, before the page scrolls to the first of them. */
  readonly onFaults?: (names: readonly string[]) => void
  readonly children: ReactNode | ((form: FormInstance<Value>) => ReactNode)
}

/**
 * The form for creating and editing any object: a drawer with fields, buttons and a mark for unsaved changes.
 * Mount it when it is opened, with a `key` for the edited object. It asks for confirmation before entered
 * values are lost.
 */
export function ResourceForm<Value extends object>(props: ResourceFormProps<Value>) {
  const [isDirty, setIsDirty] = useState(false)
  const close = async () => {
    if (!isDirty || (await confirmDiscard(props.title))) props.onClose()
  }
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: isDirty,
    shouldBlockFn: async ({ current, next }) =>
      current.pathname !== next.pathname && !(await confirmDiscard(props.title)),
  })
  return (
    <Drawer
      open
      size={560}
      title={<FormTitle title={props.title} isDirty={isDirty} />}
      onClose={() => void close()}
    >
      {props.initialValue === undefined ? (
        <NotLoaded error={props.loadError} onReload={props.onReload} />
      ) : (
        <LoadedForm
          {...props}
          initialValue={props.initialValue}
          onDirty={setIsDirty}
          onCancel={() => void close()}
        />
      )}
    </Drawer>
  )
}

interface LoadedFormProps<Value extends object> extends ResourceFormProps<Value> {
  readonly initialValue: Value
  readonly onDirty: (isDirty: boolean) => void
  readonly onCancel: () => void
}

function LoadedForm<Value extends object>(props: LoadedFormProps<Value>) {
  const t = sharedMessages.use()
  const [form] = Form.useForm<Value>()
  const [initialValue] = useState(props.initialValue)
  // All attempts share one operation key, because the first request may have succeeded even though its
  // connection broke.
  const [operationKey] = useState(newId)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  useDirty({ form, initialValue, onDirty: props.onDirty })

  async function submit(value: Value) {
    if (props.isEdit === true && isSameValue(initialValue, { ...initialValue, ...value })) {
      notifyDone(t('form.unchanged'))
      props.onClose()
      return
    }
    setIsBusy(true)
    setFailure(undefined)
    try {
      await props.onSubmit({ ...initialValue, ...value }, { operationKey })
      props.onDirty(false)
    } catch (error) {
      if (!showProblem(form, error, props.problemFields)) setFailure(failureText(error))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Form<Value>
      form={form}
      layout="vertical"
      className={styles.form}
      initialValues={initialValue}
      requiredMark={markRequired}
      scrollToFirstError={{ behavior: 'instant', block: 'center', focus: true }}
      onFinish={(value) => void submit(value)}
      onFinishFailed={({ errorFields }) => props.onFaults?.(errorFields.map(({ name }) => String(name[0])))}
    >
      <div className={styles.fields}>
        {typeof props.children === 'function' ? props.children(form) : props.children}
      </div>
      <footer className={styles.footer}>
        {failure !== undefined && <Alert type="error" title={failure} />}
        <div className={styles.buttons}>
          <Button onClick={props.onCancel}>{t('cancel')}</Button>
          <Button type="primary" htmlType="submit" loading={isBusy}>
            {props.submitLabel ?? t('save')}
          </Button>
        </div>
      </footer>
    </Form>
  )
}

/** Returns false if the error does not refer to a field of the form. */
function showProblem<Value extends object>(
  form: FormInstance<Value>,
  error: unknown,
  fields: ProblemFields<Value> | undefined,
): boolean {
  if (fields === undefined) return false
  const field = fieldOf(error, fields)
  if (field === undefined) return false
  showAtField(form, error, fields)
  form.scrollToField(field, { behavior: 'instant', block: 'center', focus: true })
  return true
}

interface DirtyInput<Value extends object> {
  readonly form: FormInstance<Value>
  readonly initialValue: Value
  readonly onDirty: (isDirty: boolean) => void
}

/** Also detects values that a button of the form has set. */
function useDirty<Value extends object>({ form, initialValue, onDirty }: DirtyInput<Value>): void {
  const entered = Form.useWatch((value: Value) => value, { form, preserve: true })
  const isDirty = !isSameValue(initialValue, { ...initialValue, ...entered })
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
}

function FormTitle({ title, isDirty }: { readonly title: string; readonly isDirty: boolean }) {
  const t = sharedMessages.use()
  return (
    <span className={styles.title}>
      {title}
      {isDirty && <span className={styles.unsaved}>{t('form.unsaved')}</span>}
    </span>
  )
}

function markRequired(label: ReactNode, { required }: { readonly required: boolean }): ReactNode {
  if (!required) return label
  return (
    <span>
      {label} <span className={styles.required}>*</span>
    </span>
  )
}

function NotLoaded({ error, onReload }: { readonly error: unknown; readonly onReload?: () => void }) {
  if (error === undefined || error === null) return <Skeleton active paragraph={{ rows: 8 }} title={false} />
  return <ErrorState error={error} onRetry={onReload} />
}

function confirmDiscard(title: string): Promise<boolean> {
  const { t } = sharedMessages
  return confirm({
    title: t('form.discardTitle', { title }),
    consequence: t('form.discardText'),
    confirmLabel: t('form.discard'),
    isDestructive: true,
  })
}
