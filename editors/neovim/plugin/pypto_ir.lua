-- :PyptoIr [PASS] shows the IR of the buffer's kernels after a pass, in a read-only window beside it. Without a pass it is the IR
-- as the rules see it; the passes complete with <Tab>.

if vim.g.loaded_pypto_ir then
  return
end
vim.g.loaded_pypto_ir = true

local TIMEOUT = 10000 -- milliseconds

local function client_of(buffer)
  local clients
  if vim.lsp.get_clients then
    clients = vim.lsp.get_clients({ bufnr = buffer, name = "pypto" })
  else
    clients = vim.tbl_filter(function(client)
      return client.name == "pypto"
    end, vim.lsp.buf_get_clients(buffer))
  end
  local _, client = next(clients)
  return client
end

local function ask(buffer, after)
  local client = client_of(buffer)
  if not client then
    return nil, "pypto-lsp is not running for this buffer"
  end
  local params = { textDocument = { uri = vim.uri_from_bufnr(buffer) } }
  if after ~= "" then
    params.after = after
  end
  local send = client.request_sync
  local answer
  if vim.fn.has("nvim-0.11") == 1 then
    answer = send(client, "pypto/ir", params, TIMEOUT, buffer)
  else
    answer = send("pypto/ir", params, TIMEOUT, buffer)
  end
  local result = answer and answer.result
  if not result then
    return nil, "pypto-lsp did not answer"
  end
  return result, result.error
end

local function show(text, after)
  vim.cmd("vnew")
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].swapfile = false
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, "\n", { trimempty = true }))
  vim.bo[buffer].syntax = "python"
  vim.bo[buffer].modifiable = false
  vim.w.pypto_ir = after == "" and "ir" or after
end

vim.api.nvim_create_user_command("PyptoIr", function(command)
  local result, fault = ask(vim.api.nvim_get_current_buf(), command.args)
  if fault then
    vim.notify(fault, vim.log.levels.WARN)
    return
  end
  show(result.text, command.args)
end, {
  nargs = "?",
  desc = "Show the IR of the PyPTO kernels in this buffer after a pass",
  complete = function(lead)
    local result = ask(vim.api.nvim_get_current_buf(), "")
    return vim.tbl_filter(function(name)
      return vim.startswith(name, lead)
    end, result and result.passes or {})
  end,
})
