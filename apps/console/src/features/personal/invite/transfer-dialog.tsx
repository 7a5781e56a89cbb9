import { accountRoutes } from '@tollgate/contract/account'
import { Form } from 'antd'
import { useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { QuotaInput } from '../../../shared/form/quota-input.tsx'
import { useMoney } from '../../../shared/format/use-money.ts'
import { useStatus } from '../../../shared/session/status.ts'
import { newOperationKey } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import { personalMessages } from '../i18n/index.ts'
import { useDialogMutation } from '../use-dialog-mutation.ts'

interface TransferDialogProps {
  /** The amount that can be transferred, in quota units. */
  readonly earned: number
  readonly onClose: () => void
}

/** Transfers invitation earnings to the balance: at least one currency unit at a time. */
export function TransferDialog({ earned, onClose }: TransferDialogProps) {
  const t = personalMessages.use()
  const money = useMoney()
  const { quota_per_unit: min } = useStatus()
  const [operationKey] = useState(newOperationKey)
  const transfer = useDialogMutation({
    mutationFn: ({ quota }: { quota: number }) =>
      api.call(accountRoutes.affTransfer, { body: { quota, operation_key: `${operationKey}-${quota}` } }),
    done: t('invite.transferred'),
    onClose,
  })
  return (
    <FormDialog
      name="transfer"
      firstField="quota"
      title={t('invite.transfer')}
      purpose={t('invite.transferText', { earned: money.exact(earned) })}
      submitLabel={t('invite.transferSubmit')}
      mutation={transfer}
      initialValues={{ quota: earned }}
      onClose={onClose}
    >
      <Form.Item
        name="quota"
        label={t('invite.amount')}
        validateFirst
        rules={[
          { type: 'number', required: true, min, message: t('invite.tooSmall', { min: money.exact(min) }) },
          { type: 'number', max: earned, message: t('invite.tooMuch', { earned: money.exact(earned) }) },
        ]}
      >
        <QuotaInput pickUnits={[...new Set([min, Math.max(min, earned)])]} />
      </Form.Item>
    </FormDialog>
  )
}
