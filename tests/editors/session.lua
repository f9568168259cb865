-- Drives one editing session and writes what was seen as JSON: open a kernel, wait for its diagnostics, apply the quick
-- fix of the first one that has one, wait until it is gone. Works on Neovim 0.7 and newer.
local kernel, result_path, code = vim.env.KERNEL, vim.env.RESULT, vim.env.CODE
local seen = { version = tostring(vim.version().minor) }

local function of_code(list)
  return vim.tbl_filter(function(d)
    return d.code == code or (d.user_data and d.user_data.lsp and d.user_data.lsp.code == code)
  end, list)
end

local function finish(message)
  seen.message = message
  local file = assert(io.open(result_path, "w"))
  file:write(vim.json and vim.json.encode(seen) or vim.fn.json_encode(seen))
  file:close()
  vim.cmd("qa!")
end

local function client_of(buffer)
  local get = vim.lsp.get_clients or vim.lsp.get_active_clients
  for _, client in pairs(get()) do
    if client.name == "pypto" and vim.lsp.buf_is_attached(buffer, client.id) then
      return client
    end
  end
end

local function apply(edit, encoding)
  for _, change in ipairs(edit.documentChanges or {}) do
    vim.lsp.util.apply_text_edits(change.edits, vim.uri_to_bufnr(change.textDocument.uri), encoding)
  end
  for uri, edits in pairs(edit.changes or {}) do
    vim.lsp.util.apply_text_edits(edits, vim.uri_to_bufnr(uri), encoding)
  end
end

local ok, fault = pcall(function()
  vim.cmd("filetype on")
  vim.cmd("edit " .. vim.fn.fnameescape(kernel))
  vim.bo.filetype = "python"
  local buffer = vim.api.nvim_get_current_buf()
  if not vim.wait(30000, function() return client_of(buffer) ~= nil end, 50) then
    return finish("no client attached")
  end
  if not vim.wait(30000, function() return #of_code(vim.diagnostic.get(buffer)) > 0 end, 50) then
    seen.diagnostics = vim.diagnostic.get(buffer)
    return finish("the finding did not appear")
  end
  local finding = of_code(vim.diagnostic.get(buffer))[1]
  seen.line, seen.col, seen.source, seen.text = finding.lnum + 1, finding.col + 1, finding.source, finding.message
  local client = client_of(buffer)
  local encoding = client.offset_encoding or "utf-16"
  local lsp = finding.user_data and finding.user_data.lsp or {}
  local position = { line = finding.lnum, character = finding.col }
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    range = lsp.range or { start = position, ["end"] = { line = finding.end_lnum, character = finding.end_col } },
    context = { diagnostics = { {
      range = lsp.range or { start = position, ["end"] = { line = finding.end_lnum, character = finding.end_col } },
      message = finding.message,
      code = lsp.code or finding.code,
      source = finding.source,
      data = lsp.data,
    } } },
  }
  local answers = vim.lsp.buf_request_sync(buffer, "textDocument/codeAction", params, 20000) or {}
  local actions = {}
  for _, answer in pairs(answers) do
    for _, action in ipairs(answer.result or {}) do
      table.insert(actions, action)
    end
  end
  seen.actions = vim.tbl_map(function(a) return a.title end, actions)
  local chosen = actions[1]
  if not chosen then
    return finish("no quick fix was offered")
  end
  if not chosen.edit then
    for _, answer in pairs(vim.lsp.buf_request_sync(buffer, "codeAction/resolve", chosen, 20000) or {}) do
      chosen = answer.result or chosen
    end
  end
  apply(chosen.edit, encoding)
  if not vim.wait(30000, function() return #of_code(vim.diagnostic.get(buffer)) == 0 end, 50) then
    return finish("the finding stayed after the fix")
  end
  seen.text_after = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
  vim.bo[buffer].modified = false
  if vim.fn.exists(":PyptoIr") == 2 then
    seen.ir_passes = vim.fn.getcompletion("PyptoIr Outline", "cmdline")
    vim.cmd("PyptoIr ConvertTensorToTileOps")
    seen.ir = vim.api.nvim_buf_get_lines(0, 0, -1, false)
    seen.ir_modifiable = vim.bo.modifiable
  end
  finish("done")
end)
if not ok then
  finish("error: " .. tostring(fault))
end
