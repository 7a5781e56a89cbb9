import type { UseMutationResult } from '@tanstack/react-query'
import { Alert, Button, Form, type FormInstance, Modal } from 'antd'
import type { ReactNode } from 'react'
import { failureText } from '../../shared/api/failure.ts'
import { focusOn } from '../../shared/form/focus-on.ts'
import { sharedMessages } from '../../shared/i18n/shared-messages.ts'

interface DialogFrameProps {
  /** Id of the form, and prefix of the ids of its fields. */
  readonly name: string
  readonly firstField: string
  readonly title: string
  readonly purpose?: string
  readonly submitLabel: string
  readonly onClose: () => void
}

interface FormDialogProps<Value extends object> extends DialogFrameProps {
  readonly firstField: keyof Value & string
  /** Must close the dialog itself on success. Its error is shown in the dialog unless `isFailureAtField`. */
  readonly mutation: UseMutationResult<unknown, Error, Value>
  readonly isFailureAtField?: boolean
  readonly form?: FormInstance<Value>
  readonly initialValues?: Partial<Value>
  readonly children: ReactNode
}

/** A dialog with a form of a few fields that are sent together. */
export function FormDialog<Value extends object>(props: FormDialogProps<Value>) {
  const { name, form, mutation } = props
  const isFailureShown = mutation.error !== null && props.isFailureAtField !== true
  return (
    <DialogFrame {...props} isBusy={mutation.isPending}>
      <Form<Value>
        name={name}
        form={form}
        initialValues={props.initialValues}
        layout="vertical"
        requiredMark={false}
        onFinish={(value) => mutation.mutate(value)}
      >
        {props.children}
        {isFailureShown && <Alert type="error" role="alert" title={failureText(mutation.error)} />}
      </Form>
    </DialogFrame>
  )
}

/** A dialog with title, text and buttons around a form whose id is `name`. */
export function DialogFrame(
  props: DialogFrameProps & { readonly isBusy: boolean; readonly children: ReactNode },
) {
  const t = sharedMessages.use()
  const { name, onClose } = props
  return (
    <Modal
      open
      width={440}
      title={props.title}
      afterOpenChange={() => focusOn(`${name}_${props.firstField}`)}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="primary" htmlType="submit" form={name} loading={props.isBusy}>
            {props.submitLabel}
          </Button>
        </>
      }
    >
      {props.purpose !== undefined && (
        <p className="muted" style={{ marginBottom: 16 }}>
          {props.purpose}
        </p>
      )}
      {props.children}
    </Modal>
  )
}
