// ajv 8.20.0, 6a3f24ff
const validate = validate21;
const schema8 = { "type": "object", "properties": { "funcs": { "type": ["array", "null"], "items": { "$ref": "#/$defs/Func" } } }, "required": ["funcs"], "additionalProperties": false };
const schema9 = { "type": "object", "properties": { "name": { "type": "string" }, "path": { "type": "array", "items": { "type": "string" } }, "params": { "type": ["array", "null"], "items": { "type": "integer" } }, "return": { "type": "integer" }, "blocks": { "type": ["array", "null"], "items": { "$ref": "#/$defs/Block" } } }, "required": ["blocks", "name", "params", "return"], "additionalProperties": false };
function validate28(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.type === void 0 && (missing0 = "type") || data.value === void 0 && (missing0 = "value")) {
        return fault(validate28, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs2 = errors;
        for (const key0 in data) {
          if (!(key0 === "type" || key0 === "value")) {
            return fault(validate28, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs2 === errors) {
          const tag0 = data.type;
          if (typeof tag0 == "string") {
            if (tag0 === "bool") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs4 = errors;
                  if ("bool" !== data.type) {
                    return fault(validate28, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "bool" } });
                  }
                  var valid2 = _errs4 === errors;
                } else {
                  var valid2 = true;
                }
                if (valid2) {
                  if (data.value !== void 0) {
                    const _errs5 = errors;
                    if (typeof data.value !== "boolean") {
                      return fault(validate28, { instancePath: instancePath + "/value", keyword: "type", params: { type: "boolean" } });
                    }
                    var valid2 = _errs5 === errors;
                  } else {
                    var valid2 = true;
                  }
                }
              }
            } else if (tag0 === "local") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs8 = errors;
                  if ("local" !== data.type) {
                    return fault(validate28, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "local" } });
                  }
                  var valid4 = _errs8 === errors;
                } else {
                  var valid4 = true;
                }
                if (valid4) {
                  if (data.value !== void 0) {
                    let data3 = data.value;
                    const _errs9 = errors;
                    if (!Number.isInteger(data3)) {
                      return fault(validate28, { instancePath: instancePath + "/value", keyword: "type", params: { type: "integer" } });
                    }
                    var valid4 = _errs9 === errors;
                  } else {
                    var valid4 = true;
                  }
                }
              }
            } else if (tag0 === "string_index") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs12 = errors;
                  if ("string_index" !== data.type) {
                    return fault(validate28, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "string_index" } });
                  }
                  var valid6 = _errs12 === errors;
                } else {
                  var valid6 = true;
                }
                if (valid6) {
                  if (data.value !== void 0) {
                    let data5 = data.value;
                    const _errs13 = errors;
                    if (!Number.isInteger(data5)) {
                      return fault(validate28, { instancePath: instancePath + "/value", keyword: "type", params: { type: "integer" } });
                    }
                    var valid6 = _errs13 === errors;
                  } else {
                    var valid6 = true;
                  }
                }
              }
            } else {
              return fault(validate28, { instancePath, keyword: "discriminator", params: { error: "mapping", tag: "type", tagValue: tag0 } });
            }
          } else {
            return fault(validate28, { instancePath, keyword: "discriminator", params: { error: "tag", tag: "type", tagValue: tag0 } });
          }
        }
      }
    } else {
      return fault(validate28, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate28.errors = vErrors;
  return errors === 0;
}
function validate27(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.array === void 0 && (missing0 = "array") || data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.value === void 0 && (missing0 = "value")) {
        return fault(validate27, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "array" || key0 === "value" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate27, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.array !== void 0) {
            let data0 = data.array;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate27, { instancePath: instancePath + "/array", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.value !== void 0) {
              const _errs4 = errors;
              if (!validate28(data.value, { instancePath: instancePath + "/value", parentData: data, parentDataProperty: "value", rootData })) {
                vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
                errors = vErrors.length;
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.col !== void 0) {
                let data2 = data.col;
                const _errs5 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate27, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs5 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_col !== void 0) {
                  let data3 = data.end_col;
                  const _errs7 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate27, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs7 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_row !== void 0) {
                    let data4 = data.end_row;
                    const _errs9 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate27, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs9 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.file !== void 0) {
                      let data5 = data.file;
                      const _errs11 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate27, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs11 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.row !== void 0) {
                        let data6 = data.row;
                        const _errs13 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate27, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs13 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate27, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate27.errors = vErrors;
  return errors === 0;
}
function validate31(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.target === void 0 && (missing0 = "target") || data.value === void 0 && (missing0 = "value")) {
        return fault(validate31, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "target" || key0 === "value" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate31, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.target !== void 0) {
            let data0 = data.target;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate31, { instancePath: instancePath + "/target", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.value !== void 0) {
              let data1 = data.value;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate31, { instancePath: instancePath + "/value", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.col !== void 0) {
                let data2 = data.col;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate31, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_col !== void 0) {
                  let data3 = data.end_col;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate31, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_row !== void 0) {
                    let data4 = data.end_row;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate31, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.file !== void 0) {
                      let data5 = data.file;
                      const _errs12 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate31, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.row !== void 0) {
                        let data6 = data.row;
                        const _errs14 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate31, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs14 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate31, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate31.errors = vErrors;
  return errors === 0;
}
function validate33(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.source === void 0 && (missing0 = "source") || data.target === void 0 && (missing0 = "target")) {
        return fault(validate33, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "source" || key0 === "target" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate33, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.source !== void 0) {
            const _errs2 = errors;
            if (!validate28(data.source, { instancePath: instancePath + "/source", parentData: data, parentDataProperty: "source", rootData })) {
              vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.target !== void 0) {
              let data1 = data.target;
              const _errs3 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate33, { instancePath: instancePath + "/target", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.col !== void 0) {
                let data2 = data.col;
                const _errs5 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate33, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs5 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_col !== void 0) {
                  let data3 = data.end_col;
                  const _errs7 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate33, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs7 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_row !== void 0) {
                    let data4 = data.end_row;
                    const _errs9 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate33, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs9 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.file !== void 0) {
                      let data5 = data.file;
                      const _errs11 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate33, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs11 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.row !== void 0) {
                        let data6 = data.row;
                        const _errs13 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate33, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs13 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate33, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate33.errors = vErrors;
  return errors === 0;
}
function validate36(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.source === void 0 && (missing0 = "source") || data.target === void 0 && (missing0 = "target")) {
        return fault(validate36, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "source" || key0 === "target" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate36, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.source !== void 0) {
            const _errs2 = errors;
            if (!validate28(data.source, { instancePath: instancePath + "/source", parentData: data, parentDataProperty: "source", rootData })) {
              vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.target !== void 0) {
              let data1 = data.target;
              const _errs3 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate36, { instancePath: instancePath + "/target", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.col !== void 0) {
                let data2 = data.col;
                const _errs5 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate36, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs5 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_col !== void 0) {
                  let data3 = data.end_col;
                  const _errs7 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate36, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs7 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_row !== void 0) {
                    let data4 = data.end_row;
                    const _errs9 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate36, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs9 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.file !== void 0) {
                      let data5 = data.file;
                      const _errs11 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate36, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs11 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.row !== void 0) {
                        let data6 = data.row;
                        const _errs13 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate36, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs13 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate36, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate36.errors = vErrors;
  return errors === 0;
}
const schema17 = { "type": "object", "properties": { "blocks": { "type": ["array", "null"], "items": { "$ref": "#/$defs/Block" } }, "col": { "type": "integer" }, "end_col": { "type": "integer" }, "end_row": { "type": "integer" }, "file": { "type": "integer" }, "row": { "type": "integer" } }, "required": ["blocks", "col", "end_col", "end_row", "file", "row"], "additionalProperties": false };
const wrapper0 = { validate: validate25 };
function validate39(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.blocks === void 0 && (missing0 = "blocks") || data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row")) {
        return fault(validate39, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "blocks" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate39, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.blocks !== void 0) {
            let data0 = data.blocks;
            const _errs2 = errors;
            if (!Array.isArray(data0) && data0 !== null) {
              return fault(validate39, { instancePath: instancePath + "/blocks", keyword: "type", params: { type: schema17.properties.blocks.type } });
            }
            if (errors === _errs2) {
              if (Array.isArray(data0)) {
                var valid1 = true;
                const len0 = data0.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  const _errs4 = errors;
                  if (!wrapper0.validate(data0[i0], { instancePath: instancePath + "/blocks/" + i0, parentData: data0, parentDataProperty: i0, rootData })) {
                    vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
                    errors = vErrors.length;
                  }
                  var valid1 = _errs4 === errors;
                  if (!valid1) {
                    break;
                  }
                }
              }
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.col !== void 0) {
              let data2 = data.col;
              const _errs5 = errors;
              if (!Number.isInteger(data2)) {
                return fault(validate39, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs5 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_col !== void 0) {
                let data3 = data.end_col;
                const _errs7 = errors;
                if (!Number.isInteger(data3)) {
                  return fault(validate39, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs7 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_row !== void 0) {
                  let data4 = data.end_row;
                  const _errs9 = errors;
                  if (!Number.isInteger(data4)) {
                    return fault(validate39, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs9 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.file !== void 0) {
                    let data5 = data.file;
                    const _errs11 = errors;
                    if (!Number.isInteger(data5)) {
                      return fault(validate39, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs11 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.row !== void 0) {
                      let data6 = data.row;
                      const _errs13 = errors;
                      if (!Number.isInteger(data6)) {
                        return fault(validate39, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs13 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate39, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate39.errors = vErrors;
  return errors === 0;
}
function validate41(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.index === void 0 && (missing0 = "index") || data.row === void 0 && (missing0 = "row")) {
        return fault(validate41, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "index" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate41, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.index !== void 0) {
            let data0 = data.index;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate41, { instancePath: instancePath + "/index", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.col !== void 0) {
              let data1 = data.col;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate41, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_col !== void 0) {
                let data2 = data.end_col;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate41, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_row !== void 0) {
                  let data3 = data.end_row;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate41, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.file !== void 0) {
                    let data4 = data.file;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate41, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.row !== void 0) {
                      let data5 = data.row;
                      const _errs12 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate41, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate41, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate41.errors = vErrors;
  return errors === 0;
}
const schema19 = { "type": "object", "properties": { "args": { "type": ["array", "null"], "items": { "type": "integer" } }, "path": { "type": ["array", "null"], "items": { "$ref": "#/$defs/Operand" } }, "result": { "type": "integer" }, "col": { "type": "integer" }, "end_col": { "type": "integer" }, "end_row": { "type": "integer" }, "file": { "type": "integer" }, "row": { "type": "integer" } }, "required": ["args", "col", "end_col", "end_row", "file", "path", "result", "row"], "additionalProperties": false };
function validate43(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.args === void 0 && (missing0 = "args") || data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.path === void 0 && (missing0 = "path") || data.result === void 0 && (missing0 = "result") || data.row === void 0 && (missing0 = "row")) {
        return fault(validate43, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "args" || key0 === "path" || key0 === "result" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate43, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.args !== void 0) {
            let data0 = data.args;
            const _errs2 = errors;
            if (!Array.isArray(data0) && data0 !== null) {
              return fault(validate43, { instancePath: instancePath + "/args", keyword: "type", params: { type: schema19.properties.args.type } });
            }
            if (errors === _errs2) {
              if (Array.isArray(data0)) {
                var valid1 = true;
                const len0 = data0.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  let data1 = data0[i0];
                  const _errs4 = errors;
                  if (!Number.isInteger(data1)) {
                    return fault(validate43, { instancePath: instancePath + "/args/" + i0, keyword: "type", params: { type: "integer" } });
                  }
                  var valid1 = _errs4 === errors;
                  if (!valid1) {
                    break;
                  }
                }
              }
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.path !== void 0) {
              let data2 = data.path;
              const _errs6 = errors;
              if (!Array.isArray(data2) && data2 !== null) {
                return fault(validate43, { instancePath: instancePath + "/path", keyword: "type", params: { type: schema19.properties.path.type } });
              }
              if (errors === _errs6) {
                if (Array.isArray(data2)) {
                  var valid2 = true;
                  const len1 = data2.length;
                  for (let i1 = 0; i1 < len1; i1++) {
                    const _errs8 = errors;
                    if (!validate28(data2[i1], { instancePath: instancePath + "/path/" + i1, parentData: data2, parentDataProperty: i1, rootData })) {
                      vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
                      errors = vErrors.length;
                    }
                    var valid2 = _errs8 === errors;
                    if (!valid2) {
                      break;
                    }
                  }
                }
              }
              var valid0 = _errs6 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.result !== void 0) {
                let data4 = data.result;
                const _errs9 = errors;
                if (!Number.isInteger(data4)) {
                  return fault(validate43, { instancePath: instancePath + "/result", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs9 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.col !== void 0) {
                  let data5 = data.col;
                  const _errs11 = errors;
                  if (!Number.isInteger(data5)) {
                    return fault(validate43, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs11 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_col !== void 0) {
                    let data6 = data.end_col;
                    const _errs13 = errors;
                    if (!Number.isInteger(data6)) {
                      return fault(validate43, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs13 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.end_row !== void 0) {
                      let data7 = data.end_row;
                      const _errs15 = errors;
                      if (!Number.isInteger(data7)) {
                        return fault(validate43, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs15 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.file !== void 0) {
                        let data8 = data.file;
                        const _errs17 = errors;
                        if (!Number.isInteger(data8)) {
                          return fault(validate43, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs17 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.row !== void 0) {
                          let data9 = data.row;
                          const _errs19 = errors;
                          if (!Number.isInteger(data9)) {
                            return fault(validate43, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                          }
                          var valid0 = _errs19 === errors;
                        } else {
                          var valid0 = true;
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate43, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate43.errors = vErrors;
  return errors === 0;
}
const schema20 = { "type": "object", "properties": { "args": { "type": ["array", "null"], "items": { "$ref": "#/$defs/Operand" } }, "func": { "type": "string" }, "result": { "type": "integer" }, "col": { "type": "integer" }, "end_col": { "type": "integer" }, "end_row": { "type": "integer" }, "file": { "type": "integer" }, "row": { "type": "integer" } }, "required": ["args", "col", "end_col", "end_row", "file", "func", "result", "row"], "additionalProperties": false };
function validate46(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.args === void 0 && (missing0 = "args") || data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.func === void 0 && (missing0 = "func") || data.result === void 0 && (missing0 = "result") || data.row === void 0 && (missing0 = "row")) {
        return fault(validate46, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "args" || key0 === "func" || key0 === "result" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate46, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.args !== void 0) {
            let data0 = data.args;
            const _errs2 = errors;
            if (!Array.isArray(data0) && data0 !== null) {
              return fault(validate46, { instancePath: instancePath + "/args", keyword: "type", params: { type: schema20.properties.args.type } });
            }
            if (errors === _errs2) {
              if (Array.isArray(data0)) {
                var valid1 = true;
                const len0 = data0.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  const _errs4 = errors;
                  if (!validate28(data0[i0], { instancePath: instancePath + "/args/" + i0, parentData: data0, parentDataProperty: i0, rootData })) {
                    vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
                    errors = vErrors.length;
                  }
                  var valid1 = _errs4 === errors;
                  if (!valid1) {
                    break;
                  }
                }
              }
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.func !== void 0) {
              const _errs5 = errors;
              if (typeof data.func !== "string") {
                return fault(validate46, { instancePath: instancePath + "/func", keyword: "type", params: { type: "string" } });
              }
              var valid0 = _errs5 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.result !== void 0) {
                let data3 = data.result;
                const _errs7 = errors;
                if (!Number.isInteger(data3)) {
                  return fault(validate46, { instancePath: instancePath + "/result", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs7 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.col !== void 0) {
                  let data4 = data.col;
                  const _errs9 = errors;
                  if (!Number.isInteger(data4)) {
                    return fault(validate46, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs9 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_col !== void 0) {
                    let data5 = data.end_col;
                    const _errs11 = errors;
                    if (!Number.isInteger(data5)) {
                      return fault(validate46, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs11 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.end_row !== void 0) {
                      let data6 = data.end_row;
                      const _errs13 = errors;
                      if (!Number.isInteger(data6)) {
                        return fault(validate46, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs13 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.file !== void 0) {
                        let data7 = data.file;
                        const _errs15 = errors;
                        if (!Number.isInteger(data7)) {
                          return fault(validate46, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs15 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.row !== void 0) {
                          let data8 = data.row;
                          const _errs17 = errors;
                          if (!Number.isInteger(data8)) {
                            return fault(validate46, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                          }
                          var valid0 = _errs17 === errors;
                        } else {
                          var valid0 = true;
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate46, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate46.errors = vErrors;
  return errors === 0;
}
function validate49(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.key === void 0 && (missing0 = "key") || data.row === void 0 && (missing0 = "row") || data.source === void 0 && (missing0 = "source") || data.target === void 0 && (missing0 = "target")) {
        return fault(validate49, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "key" || key0 === "source" || key0 === "target" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate49, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.key !== void 0) {
            const _errs2 = errors;
            if (!validate28(data.key, { instancePath: instancePath + "/key", parentData: data, parentDataProperty: "key", rootData })) {
              vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.source !== void 0) {
              const _errs3 = errors;
              if (!validate28(data.source, { instancePath: instancePath + "/source", parentData: data, parentDataProperty: "source", rootData })) {
                vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
                errors = vErrors.length;
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.target !== void 0) {
                let data2 = data.target;
                const _errs4 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate49, { instancePath: instancePath + "/target", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs4 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.col !== void 0) {
                  let data3 = data.col;
                  const _errs6 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate49, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs6 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_col !== void 0) {
                    let data4 = data.end_col;
                    const _errs8 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate49, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs8 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.end_row !== void 0) {
                      let data5 = data.end_row;
                      const _errs10 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate49, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs10 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.file !== void 0) {
                        let data6 = data.file;
                        const _errs12 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate49, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs12 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.row !== void 0) {
                          let data7 = data.row;
                          const _errs14 = errors;
                          if (!Number.isInteger(data7)) {
                            return fault(validate49, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                          }
                          var valid0 = _errs14 === errors;
                        } else {
                          var valid0 = true;
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate49, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate49.errors = vErrors;
  return errors === 0;
}
function validate53(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.a === void 0 && (missing0 = "a") || data.b === void 0 && (missing0 = "b") || data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row")) {
        return fault(validate53, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "a" || key0 === "b" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate53, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.a !== void 0) {
            const _errs2 = errors;
            if (!validate28(data.a, { instancePath: instancePath + "/a", parentData: data, parentDataProperty: "a", rootData })) {
              vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.b !== void 0) {
              const _errs3 = errors;
              if (!validate28(data.b, { instancePath: instancePath + "/b", parentData: data, parentDataProperty: "b", rootData })) {
                vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
                errors = vErrors.length;
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.col !== void 0) {
                let data2 = data.col;
                const _errs4 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate53, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs4 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_col !== void 0) {
                  let data3 = data.end_col;
                  const _errs6 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate53, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs6 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_row !== void 0) {
                    let data4 = data.end_row;
                    const _errs8 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate53, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs8 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.file !== void 0) {
                      let data5 = data.file;
                      const _errs10 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate53, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs10 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.row !== void 0) {
                        let data6 = data.row;
                        const _errs12 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate53, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs12 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate53, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate53.errors = vErrors;
  return errors === 0;
}
function validate57(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.source === void 0 && (missing0 = "source")) {
        return fault(validate57, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "source" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate57, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.source !== void 0) {
            const _errs2 = errors;
            if (!validate28(data.source, { instancePath: instancePath + "/source", parentData: data, parentDataProperty: "source", rootData })) {
              vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.col !== void 0) {
              let data1 = data.col;
              const _errs3 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate57, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_col !== void 0) {
                let data2 = data.end_col;
                const _errs5 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate57, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs5 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_row !== void 0) {
                  let data3 = data.end_row;
                  const _errs7 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate57, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs7 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.file !== void 0) {
                    let data4 = data.file;
                    const _errs9 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate57, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs9 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.row !== void 0) {
                      let data5 = data.row;
                      const _errs11 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate57, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs11 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate57, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate57.errors = vErrors;
  return errors === 0;
}
function validate60(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.source === void 0 && (missing0 = "source")) {
        return fault(validate60, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "source" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate60, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.source !== void 0) {
            let data0 = data.source;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate60, { instancePath: instancePath + "/source", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.col !== void 0) {
              let data1 = data.col;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate60, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_col !== void 0) {
                let data2 = data.end_col;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate60, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_row !== void 0) {
                  let data3 = data.end_row;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate60, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.file !== void 0) {
                    let data4 = data.file;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate60, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.row !== void 0) {
                      let data5 = data.row;
                      const _errs12 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate60, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate60, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate60.errors = vErrors;
  return errors === 0;
}
function validate62(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.source === void 0 && (missing0 = "source")) {
        return fault(validate62, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "source" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate62, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.source !== void 0) {
            const _errs2 = errors;
            if (!validate28(data.source, { instancePath: instancePath + "/source", parentData: data, parentDataProperty: "source", rootData })) {
              vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.col !== void 0) {
              let data1 = data.col;
              const _errs3 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate62, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_col !== void 0) {
                let data2 = data.end_col;
                const _errs5 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate62, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs5 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_row !== void 0) {
                  let data3 = data.end_row;
                  const _errs7 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate62, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs7 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.file !== void 0) {
                    let data4 = data.file;
                    const _errs9 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate62, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs9 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.row !== void 0) {
                      let data5 = data.row;
                      const _errs11 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate62, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs11 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate62, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate62.errors = vErrors;
  return errors === 0;
}
function validate65(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.source === void 0 && (missing0 = "source")) {
        return fault(validate65, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "source" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate65, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.source !== void 0) {
            const _errs2 = errors;
            if (!validate28(data.source, { instancePath: instancePath + "/source", parentData: data, parentDataProperty: "source", rootData })) {
              vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.col !== void 0) {
              let data1 = data.col;
              const _errs3 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate65, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_col !== void 0) {
                let data2 = data.end_col;
                const _errs5 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate65, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs5 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_row !== void 0) {
                  let data3 = data.end_row;
                  const _errs7 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate65, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs7 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.file !== void 0) {
                    let data4 = data.file;
                    const _errs9 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate65, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs9 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.row !== void 0) {
                      let data5 = data.row;
                      const _errs11 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate65, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs11 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate65, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate65.errors = vErrors;
  return errors === 0;
}
function validate68(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.source === void 0 && (missing0 = "source")) {
        return fault(validate68, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "source" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate68, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.source !== void 0) {
            let data0 = data.source;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate68, { instancePath: instancePath + "/source", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.col !== void 0) {
              let data1 = data.col;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate68, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_col !== void 0) {
                let data2 = data.end_col;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate68, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_row !== void 0) {
                  let data3 = data.end_row;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate68, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.file !== void 0) {
                    let data4 = data.file;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate68, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.row !== void 0) {
                      let data5 = data.row;
                      const _errs12 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate68, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate68, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate68.errors = vErrors;
  return errors === 0;
}
function validate70(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.source === void 0 && (missing0 = "source") || data.target === void 0 && (missing0 = "target")) {
        return fault(validate70, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "source" || key0 === "target" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate70, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.source !== void 0) {
            const _errs2 = errors;
            if (!validate28(data.source, { instancePath: instancePath + "/source", parentData: data, parentDataProperty: "source", rootData })) {
              vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.target !== void 0) {
              let data1 = data.target;
              const _errs3 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate70, { instancePath: instancePath + "/target", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.col !== void 0) {
                let data2 = data.col;
                const _errs5 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate70, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs5 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_col !== void 0) {
                  let data3 = data.end_col;
                  const _errs7 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate70, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs7 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_row !== void 0) {
                    let data4 = data.end_row;
                    const _errs9 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate70, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs9 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.file !== void 0) {
                      let data5 = data.file;
                      const _errs11 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate70, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs11 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.row !== void 0) {
                        let data6 = data.row;
                        const _errs13 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate70, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs13 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate70, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate70.errors = vErrors;
  return errors === 0;
}
function validate73(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.capacity === void 0 && (missing0 = "capacity") || data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.target === void 0 && (missing0 = "target")) {
        return fault(validate73, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "capacity" || key0 === "target" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate73, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.capacity !== void 0) {
            let data0 = data.capacity;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate73, { instancePath: instancePath + "/capacity", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.target !== void 0) {
              let data1 = data.target;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate73, { instancePath: instancePath + "/target", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.col !== void 0) {
                let data2 = data.col;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate73, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_col !== void 0) {
                  let data3 = data.end_col;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate73, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_row !== void 0) {
                    let data4 = data.end_row;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate73, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.file !== void 0) {
                      let data5 = data.file;
                      const _errs12 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate73, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.row !== void 0) {
                        let data6 = data.row;
                        const _errs14 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate73, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs14 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate73, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate73.errors = vErrors;
  return errors === 0;
}
function validate75(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.target === void 0 && (missing0 = "target")) {
        return fault(validate75, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "target" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate75, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.target !== void 0) {
            let data0 = data.target;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate75, { instancePath: instancePath + "/target", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.col !== void 0) {
              let data1 = data.col;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate75, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_col !== void 0) {
                let data2 = data.end_col;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate75, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_row !== void 0) {
                  let data3 = data.end_row;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate75, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.file !== void 0) {
                    let data4 = data.file;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate75, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.row !== void 0) {
                      let data5 = data.row;
                      const _errs12 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate75, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate75, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate75.errors = vErrors;
  return errors === 0;
}
function validate77(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.target === void 0 && (missing0 = "target") || data.value === void 0 && (missing0 = "value")) {
        return fault(validate77, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "target" || key0 === "value" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate77, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.target !== void 0) {
            let data0 = data.target;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate77, { instancePath: instancePath + "/target", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.value !== void 0) {
              let data1 = data.value;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate77, { instancePath: instancePath + "/value", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.col !== void 0) {
                let data2 = data.col;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate77, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_col !== void 0) {
                  let data3 = data.end_col;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate77, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_row !== void 0) {
                    let data4 = data.end_row;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate77, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.file !== void 0) {
                      let data5 = data.file;
                      const _errs12 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate77, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.row !== void 0) {
                        let data6 = data.row;
                        const _errs14 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate77, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs14 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate77, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate77.errors = vErrors;
  return errors === 0;
}
function validate79(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.index === void 0 && (missing0 = "index") || data.row === void 0 && (missing0 = "row") || data.target === void 0 && (missing0 = "target")) {
        return fault(validate79, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "index" || key0 === "target" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row" || key0 === "Index")) {
            return fault(validate79, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.index !== void 0) {
            let data0 = data.index;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate79, { instancePath: instancePath + "/index", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.target !== void 0) {
              let data1 = data.target;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate79, { instancePath: instancePath + "/target", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.col !== void 0) {
                let data2 = data.col;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate79, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_col !== void 0) {
                  let data3 = data.end_col;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate79, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_row !== void 0) {
                    let data4 = data.end_row;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate79, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.file !== void 0) {
                      let data5 = data.file;
                      const _errs12 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate79, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.row !== void 0) {
                        let data6 = data.row;
                        const _errs14 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate79, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs14 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.Index !== void 0) {
                          let data7 = data.Index;
                          const _errs16 = errors;
                          if (!Number.isInteger(data7)) {
                            return fault(validate79, { instancePath: instancePath + "/Index", keyword: "type", params: { type: "integer" } });
                          }
                          var valid0 = _errs16 === errors;
                        } else {
                          var valid0 = true;
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate79, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate79.errors = vErrors;
  return errors === 0;
}
function validate81(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.target === void 0 && (missing0 = "target")) {
        return fault(validate81, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "target" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate81, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.target !== void 0) {
            let data0 = data.target;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate81, { instancePath: instancePath + "/target", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.col !== void 0) {
              let data1 = data.col;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate81, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_col !== void 0) {
                let data2 = data.end_col;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate81, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_row !== void 0) {
                  let data3 = data.end_row;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate81, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.file !== void 0) {
                    let data4 = data.file;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate81, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.row !== void 0) {
                      let data5 = data.row;
                      const _errs12 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate81, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate81, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate81.errors = vErrors;
  return errors === 0;
}
function validate83(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.target === void 0 && (missing0 = "target")) {
        return fault(validate83, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "target" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate83, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.target !== void 0) {
            let data0 = data.target;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate83, { instancePath: instancePath + "/target", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.col !== void 0) {
              let data1 = data.col;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate83, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_col !== void 0) {
                let data2 = data.end_col;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate83, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_row !== void 0) {
                  let data3 = data.end_row;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate83, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.file !== void 0) {
                    let data4 = data.file;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate83, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.row !== void 0) {
                      let data5 = data.row;
                      const _errs12 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate83, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate83, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate83.errors = vErrors;
  return errors === 0;
}
function validate85(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row")) {
        return fault(validate85, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate85, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.col !== void 0) {
            let data0 = data.col;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate85, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.end_col !== void 0) {
              let data1 = data.end_col;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate85, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_row !== void 0) {
                let data2 = data.end_row;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate85, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.file !== void 0) {
                  let data3 = data.file;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate85, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.row !== void 0) {
                    let data4 = data.row;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate85, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate85, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate85.errors = vErrors;
  return errors === 0;
}
function validate87(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.a === void 0 && (missing0 = "a") || data.b === void 0 && (missing0 = "b") || data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row")) {
        return fault(validate87, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "a" || key0 === "b" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate87, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.a !== void 0) {
            const _errs2 = errors;
            if (!validate28(data.a, { instancePath: instancePath + "/a", parentData: data, parentDataProperty: "a", rootData })) {
              vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.b !== void 0) {
              const _errs3 = errors;
              if (!validate28(data.b, { instancePath: instancePath + "/b", parentData: data, parentDataProperty: "b", rootData })) {
                vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
                errors = vErrors.length;
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.col !== void 0) {
                let data2 = data.col;
                const _errs4 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate87, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs4 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_col !== void 0) {
                  let data3 = data.end_col;
                  const _errs6 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate87, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs6 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_row !== void 0) {
                    let data4 = data.end_row;
                    const _errs8 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate87, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs8 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.file !== void 0) {
                      let data5 = data.file;
                      const _errs10 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate87, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs10 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.row !== void 0) {
                        let data6 = data.row;
                        const _errs12 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate87, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs12 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate87, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate87.errors = vErrors;
  return errors === 0;
}
function validate91(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.block === void 0 && (missing0 = "block") || data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row")) {
        return fault(validate91, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "block" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate91, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.block !== void 0) {
            let data0 = data.block;
            const _errs2 = errors;
            const _errs3 = errors;
            let valid1 = false;
            const _errs4 = errors;
            if (!wrapper0.validate(data0, { instancePath: instancePath + "/block", parentData: data, parentDataProperty: "block", rootData })) {
              vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
              errors = vErrors.length;
            }
            var _valid0 = _errs4 === errors;
            valid1 = valid1 || _valid0;
            if (!valid1) {
              const _errs5 = errors;
              if (data0 !== null) {
                const err0 = { instancePath: instancePath + "/block", keyword: "type", params: { type: "null" } };
                if (vErrors === null) {
                  vErrors = [err0];
                } else {
                  vErrors.push(err0);
                }
                errors++;
              }
              var _valid0 = _errs5 === errors;
              valid1 = valid1 || _valid0;
            }
            if (!valid1) {
              const err1 = { instancePath: instancePath + "/block", keyword: "anyOf", params: {} };
              if (vErrors === null) {
                vErrors = [err1];
              } else {
                vErrors.push(err1);
              }
              errors++;
              validate91.errors = vErrors;
              return false;
            } else {
              errors = _errs3;
              if (vErrors !== null) {
                if (_errs3) {
                  vErrors.length = _errs3;
                } else {
                  vErrors = null;
                }
              }
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.col !== void 0) {
              let data1 = data.col;
              const _errs7 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate91, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs7 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_col !== void 0) {
                let data2 = data.end_col;
                const _errs9 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate91, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs9 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_row !== void 0) {
                  let data3 = data.end_row;
                  const _errs11 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate91, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs11 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.file !== void 0) {
                    let data4 = data.file;
                    const _errs13 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate91, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs13 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.row !== void 0) {
                      let data5 = data.row;
                      const _errs15 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate91, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs15 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate91, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate91.errors = vErrors;
  return errors === 0;
}
function validate93(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.key === void 0 && (missing0 = "key") || data.object === void 0 && (missing0 = "object") || data.row === void 0 && (missing0 = "row") || data.value === void 0 && (missing0 = "value")) {
        return fault(validate93, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "key" || key0 === "object" || key0 === "value" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate93, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.key !== void 0) {
            const _errs2 = errors;
            if (!validate28(data.key, { instancePath: instancePath + "/key", parentData: data, parentDataProperty: "key", rootData })) {
              vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.object !== void 0) {
              let data1 = data.object;
              const _errs3 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate93, { instancePath: instancePath + "/object", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.value !== void 0) {
                const _errs5 = errors;
                if (!validate28(data.value, { instancePath: instancePath + "/value", parentData: data, parentDataProperty: "value", rootData })) {
                  vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
                  errors = vErrors.length;
                }
                var valid0 = _errs5 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.col !== void 0) {
                  let data3 = data.col;
                  const _errs6 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate93, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs6 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_col !== void 0) {
                    let data4 = data.end_col;
                    const _errs8 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate93, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs8 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.end_row !== void 0) {
                      let data5 = data.end_row;
                      const _errs10 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate93, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs10 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.file !== void 0) {
                        let data6 = data.file;
                        const _errs12 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate93, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs12 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.row !== void 0) {
                          let data7 = data.row;
                          const _errs14 = errors;
                          if (!Number.isInteger(data7)) {
                            return fault(validate93, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                          }
                          var valid0 = _errs14 === errors;
                        } else {
                          var valid0 = true;
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate93, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate93.errors = vErrors;
  return errors === 0;
}
function validate97(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.key === void 0 && (missing0 = "key") || data.object === void 0 && (missing0 = "object") || data.row === void 0 && (missing0 = "row") || data.value === void 0 && (missing0 = "value")) {
        return fault(validate97, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "key" || key0 === "object" || key0 === "value" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate97, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.key !== void 0) {
            const _errs2 = errors;
            if (!validate28(data.key, { instancePath: instancePath + "/key", parentData: data, parentDataProperty: "key", rootData })) {
              vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.object !== void 0) {
              let data1 = data.object;
              const _errs3 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate97, { instancePath: instancePath + "/object", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs3 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.value !== void 0) {
                const _errs5 = errors;
                if (!validate28(data.value, { instancePath: instancePath + "/value", parentData: data, parentDataProperty: "value", rootData })) {
                  vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
                  errors = vErrors.length;
                }
                var valid0 = _errs5 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.col !== void 0) {
                  let data3 = data.col;
                  const _errs6 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate97, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs6 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_col !== void 0) {
                    let data4 = data.end_col;
                    const _errs8 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate97, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs8 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.end_row !== void 0) {
                      let data5 = data.end_row;
                      const _errs10 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate97, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs10 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.file !== void 0) {
                        let data6 = data.file;
                        const _errs12 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate97, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs12 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.row !== void 0) {
                          let data7 = data.row;
                          const _errs14 = errors;
                          if (!Number.isInteger(data7)) {
                            return fault(validate97, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                          }
                          var valid0 = _errs14 === errors;
                        } else {
                          var valid0 = true;
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate97, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate97.errors = vErrors;
  return errors === 0;
}
function validate101(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.a === void 0 && (missing0 = "a") || data.b === void 0 && (missing0 = "b") || data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.target === void 0 && (missing0 = "target")) {
        return fault(validate101, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "a" || key0 === "b" || key0 === "target" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate101, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.a !== void 0) {
            let data0 = data.a;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate101, { instancePath: instancePath + "/a", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.b !== void 0) {
              let data1 = data.b;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate101, { instancePath: instancePath + "/b", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.target !== void 0) {
                let data2 = data.target;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate101, { instancePath: instancePath + "/target", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.col !== void 0) {
                  let data3 = data.col;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate101, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_col !== void 0) {
                    let data4 = data.end_col;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate101, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.end_row !== void 0) {
                      let data5 = data.end_row;
                      const _errs12 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate101, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.file !== void 0) {
                        let data6 = data.file;
                        const _errs14 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate101, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs14 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.row !== void 0) {
                          let data7 = data.row;
                          const _errs16 = errors;
                          if (!Number.isInteger(data7)) {
                            return fault(validate101, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                          }
                          var valid0 = _errs16 === errors;
                        } else {
                          var valid0 = true;
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate101, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate101.errors = vErrors;
  return errors === 0;
}
function validate103(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.target === void 0 && (missing0 = "target")) {
        return fault(validate103, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "target" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate103, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.target !== void 0) {
            let data0 = data.target;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate103, { instancePath: instancePath + "/target", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.col !== void 0) {
              let data1 = data.col;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate103, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_col !== void 0) {
                let data2 = data.end_col;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate103, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_row !== void 0) {
                  let data3 = data.end_row;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate103, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.file !== void 0) {
                    let data4 = data.file;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate103, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.row !== void 0) {
                      let data5 = data.row;
                      const _errs12 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate103, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate103, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate103.errors = vErrors;
  return errors === 0;
}
function validate105(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.value === void 0 && (missing0 = "value")) {
        return fault(validate105, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "value" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate105, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.value !== void 0) {
            let data0 = data.value;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate105, { instancePath: instancePath + "/value", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.col !== void 0) {
              let data1 = data.col;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate105, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_col !== void 0) {
                let data2 = data.end_col;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate105, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_row !== void 0) {
                  let data3 = data.end_row;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate105, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.file !== void 0) {
                    let data4 = data.file;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate105, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.row !== void 0) {
                      let data5 = data.row;
                      const _errs12 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate105, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate105, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate105.errors = vErrors;
  return errors === 0;
}
function validate107(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.source === void 0 && (missing0 = "source")) {
        return fault(validate107, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "source" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate107, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.source !== void 0) {
            let data0 = data.source;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate107, { instancePath: instancePath + "/source", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.col !== void 0) {
              let data1 = data.col;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate107, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_col !== void 0) {
                let data2 = data.end_col;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate107, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_row !== void 0) {
                  let data3 = data.end_row;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate107, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.file !== void 0) {
                    let data4 = data.file;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate107, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.row !== void 0) {
                      let data5 = data.row;
                      const _errs12 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate107, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs12 === errors;
                    } else {
                      var valid0 = true;
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate107, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate107.errors = vErrors;
  return errors === 0;
}
const schema44 = { "type": "object", "properties": { "block": { "anyOf": [{ "$ref": "#/$defs/Block" }, { "type": "null" }] }, "key": { "type": "integer" }, "source": { "type": "integer" }, "value": { "type": "integer" }, "col": { "type": "integer" }, "end_col": { "type": "integer" }, "end_row": { "type": "integer" }, "file": { "type": "integer" }, "row": { "type": "integer" } }, "required": ["block", "col", "end_col", "end_row", "file", "key", "row", "source", "value"], "additionalProperties": false };
const func2 = Object.prototype.hasOwnProperty;
function validate109(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.block === void 0 && (missing0 = "block") || data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.key === void 0 && (missing0 = "key") || data.row === void 0 && (missing0 = "row") || data.source === void 0 && (missing0 = "source") || data.value === void 0 && (missing0 = "value")) {
        return fault(validate109, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!func2.call(schema44.properties, key0)) {
            return fault(validate109, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.block !== void 0) {
            let data0 = data.block;
            const _errs2 = errors;
            const _errs3 = errors;
            let valid1 = false;
            const _errs4 = errors;
            if (!wrapper0.validate(data0, { instancePath: instancePath + "/block", parentData: data, parentDataProperty: "block", rootData })) {
              vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
              errors = vErrors.length;
            }
            var _valid0 = _errs4 === errors;
            valid1 = valid1 || _valid0;
            if (!valid1) {
              const _errs5 = errors;
              if (data0 !== null) {
                const err0 = { instancePath: instancePath + "/block", keyword: "type", params: { type: "null" } };
                if (vErrors === null) {
                  vErrors = [err0];
                } else {
                  vErrors.push(err0);
                }
                errors++;
              }
              var _valid0 = _errs5 === errors;
              valid1 = valid1 || _valid0;
            }
            if (!valid1) {
              const err1 = { instancePath: instancePath + "/block", keyword: "anyOf", params: {} };
              if (vErrors === null) {
                vErrors = [err1];
              } else {
                vErrors.push(err1);
              }
              errors++;
              validate109.errors = vErrors;
              return false;
            } else {
              errors = _errs3;
              if (vErrors !== null) {
                if (_errs3) {
                  vErrors.length = _errs3;
                } else {
                  vErrors = null;
                }
              }
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.key !== void 0) {
              let data1 = data.key;
              const _errs7 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate109, { instancePath: instancePath + "/key", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs7 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.source !== void 0) {
                let data2 = data.source;
                const _errs9 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate109, { instancePath: instancePath + "/source", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs9 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.value !== void 0) {
                  let data3 = data.value;
                  const _errs11 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate109, { instancePath: instancePath + "/value", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs11 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.col !== void 0) {
                    let data4 = data.col;
                    const _errs13 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate109, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs13 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.end_col !== void 0) {
                      let data5 = data.end_col;
                      const _errs15 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate109, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs15 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.end_row !== void 0) {
                        let data6 = data.end_row;
                        const _errs17 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate109, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs17 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.file !== void 0) {
                          let data7 = data.file;
                          const _errs19 = errors;
                          if (!Number.isInteger(data7)) {
                            return fault(validate109, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                          }
                          var valid0 = _errs19 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.row !== void 0) {
                            let data8 = data.row;
                            const _errs21 = errors;
                            if (!Number.isInteger(data8)) {
                              return fault(validate109, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                            }
                            var valid0 = _errs21 === errors;
                          } else {
                            var valid0 = true;
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate109, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate109.errors = vErrors;
  return errors === 0;
}
function validate111(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row") || data.set === void 0 && (missing0 = "set") || data.value === void 0 && (missing0 = "value")) {
        return fault(validate111, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "set" || key0 === "value" || key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate111, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.set !== void 0) {
            let data0 = data.set;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate111, { instancePath: instancePath + "/set", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.value !== void 0) {
              const _errs4 = errors;
              if (!validate28(data.value, { instancePath: instancePath + "/value", parentData: data, parentDataProperty: "value", rootData })) {
                vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
                errors = vErrors.length;
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.col !== void 0) {
                let data2 = data.col;
                const _errs5 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate111, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs5 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.end_col !== void 0) {
                  let data3 = data.end_col;
                  const _errs7 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate111, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs7 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.end_row !== void 0) {
                    let data4 = data.end_row;
                    const _errs9 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate111, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs9 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.file !== void 0) {
                      let data5 = data.file;
                      const _errs11 = errors;
                      if (!Number.isInteger(data5)) {
                        return fault(validate111, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs11 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.row !== void 0) {
                        let data6 = data.row;
                        const _errs13 = errors;
                        if (!Number.isInteger(data6)) {
                          return fault(validate111, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs13 === errors;
                      } else {
                        var valid0 = true;
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate111, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate111.errors = vErrors;
  return errors === 0;
}
const schema46 = { "type": "object", "properties": { "block": { "anyOf": [{ "$ref": "#/$defs/Block" }, { "type": "null" }] }, "local": { "type": "integer" }, "path": { "type": ["array", "null"], "items": { "type": "integer" } }, "value": { "$ref": "#/$defs/Operand" }, "col": { "type": "integer" }, "end_col": { "type": "integer" }, "end_row": { "type": "integer" }, "file": { "type": "integer" }, "row": { "type": "integer" } }, "required": ["block", "col", "end_col", "end_row", "file", "local", "path", "row", "value"], "additionalProperties": false };
function validate114(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.block === void 0 && (missing0 = "block") || data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.local === void 0 && (missing0 = "local") || data.path === void 0 && (missing0 = "path") || data.row === void 0 && (missing0 = "row") || data.value === void 0 && (missing0 = "value")) {
        return fault(validate114, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!func2.call(schema46.properties, key0)) {
            return fault(validate114, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.block !== void 0) {
            let data0 = data.block;
            const _errs2 = errors;
            const _errs3 = errors;
            let valid1 = false;
            const _errs4 = errors;
            if (!wrapper0.validate(data0, { instancePath: instancePath + "/block", parentData: data, parentDataProperty: "block", rootData })) {
              vErrors = vErrors === null ? wrapper0.validate.errors : vErrors.concat(wrapper0.validate.errors);
              errors = vErrors.length;
            }
            var _valid0 = _errs4 === errors;
            valid1 = valid1 || _valid0;
            if (!valid1) {
              const _errs5 = errors;
              if (data0 !== null) {
                const err0 = { instancePath: instancePath + "/block", keyword: "type", params: { type: "null" } };
                if (vErrors === null) {
                  vErrors = [err0];
                } else {
                  vErrors.push(err0);
                }
                errors++;
              }
              var _valid0 = _errs5 === errors;
              valid1 = valid1 || _valid0;
            }
            if (!valid1) {
              const err1 = { instancePath: instancePath + "/block", keyword: "anyOf", params: {} };
              if (vErrors === null) {
                vErrors = [err1];
              } else {
                vErrors.push(err1);
              }
              errors++;
              validate114.errors = vErrors;
              return false;
            } else {
              errors = _errs3;
              if (vErrors !== null) {
                if (_errs3) {
                  vErrors.length = _errs3;
                } else {
                  vErrors = null;
                }
              }
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.local !== void 0) {
              let data1 = data.local;
              const _errs7 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate114, { instancePath: instancePath + "/local", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs7 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.path !== void 0) {
                let data2 = data.path;
                const _errs9 = errors;
                if (!Array.isArray(data2) && data2 !== null) {
                  return fault(validate114, { instancePath: instancePath + "/path", keyword: "type", params: { type: schema46.properties.path.type } });
                }
                if (errors === _errs9) {
                  if (Array.isArray(data2)) {
                    var valid2 = true;
                    const len0 = data2.length;
                    for (let i0 = 0; i0 < len0; i0++) {
                      let data3 = data2[i0];
                      const _errs11 = errors;
                      if (!Number.isInteger(data3)) {
                        return fault(validate114, { instancePath: instancePath + "/path/" + i0, keyword: "type", params: { type: "integer" } });
                      }
                      var valid2 = _errs11 === errors;
                      if (!valid2) {
                        break;
                      }
                    }
                  }
                }
                var valid0 = _errs9 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.value !== void 0) {
                  const _errs13 = errors;
                  if (!validate28(data.value, { instancePath: instancePath + "/value", parentData: data, parentDataProperty: "value", rootData })) {
                    vErrors = vErrors === null ? validate28.errors : vErrors.concat(validate28.errors);
                    errors = vErrors.length;
                  }
                  var valid0 = _errs13 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.col !== void 0) {
                    let data5 = data.col;
                    const _errs14 = errors;
                    if (!Number.isInteger(data5)) {
                      return fault(validate114, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs14 === errors;
                  } else {
                    var valid0 = true;
                  }
                  if (valid0) {
                    if (data.end_col !== void 0) {
                      let data6 = data.end_col;
                      const _errs16 = errors;
                      if (!Number.isInteger(data6)) {
                        return fault(validate114, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
                      }
                      var valid0 = _errs16 === errors;
                    } else {
                      var valid0 = true;
                    }
                    if (valid0) {
                      if (data.end_row !== void 0) {
                        let data7 = data.end_row;
                        const _errs18 = errors;
                        if (!Number.isInteger(data7)) {
                          return fault(validate114, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                        }
                        var valid0 = _errs18 === errors;
                      } else {
                        var valid0 = true;
                      }
                      if (valid0) {
                        if (data.file !== void 0) {
                          let data8 = data.file;
                          const _errs20 = errors;
                          if (!Number.isInteger(data8)) {
                            return fault(validate114, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                          }
                          var valid0 = _errs20 === errors;
                        } else {
                          var valid0 = true;
                        }
                        if (valid0) {
                          if (data.row !== void 0) {
                            let data9 = data.row;
                            const _errs22 = errors;
                            if (!Number.isInteger(data9)) {
                              return fault(validate114, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                            }
                            var valid0 = _errs22 === errors;
                          } else {
                            var valid0 = true;
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate114, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate114.errors = vErrors;
  return errors === 0;
}
function validate26(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.type === void 0 && (missing0 = "type") || data.stmt === void 0 && (missing0 = "stmt")) {
        return fault(validate26, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs2 = errors;
        for (const key0 in data) {
          if (!(key0 === "type" || key0 === "stmt")) {
            return fault(validate26, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs2 === errors) {
          const tag0 = data.type;
          if (typeof tag0 == "string") {
            if (tag0 === "ArrayAppendStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs4 = errors;
                  if ("ArrayAppendStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "ArrayAppendStmt" } });
                  }
                  var valid2 = _errs4 === errors;
                } else {
                  var valid2 = true;
                }
                if (valid2) {
                  if (data.stmt !== void 0) {
                    const _errs5 = errors;
                    if (!validate27(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate27.errors : vErrors.concat(validate27.errors);
                      errors = vErrors.length;
                    }
                    var valid2 = _errs5 === errors;
                  } else {
                    var valid2 = true;
                  }
                }
              }
            } else if (tag0 === "AssignIntStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs7 = errors;
                  if ("AssignIntStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "AssignIntStmt" } });
                  }
                  var valid4 = _errs7 === errors;
                } else {
                  var valid4 = true;
                }
                if (valid4) {
                  if (data.stmt !== void 0) {
                    const _errs8 = errors;
                    if (!validate31(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate31.errors : vErrors.concat(validate31.errors);
                      errors = vErrors.length;
                    }
                    var valid4 = _errs8 === errors;
                  } else {
                    var valid4 = true;
                  }
                }
              }
            } else if (tag0 === "AssignVarOnceStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs10 = errors;
                  if ("AssignVarOnceStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "AssignVarOnceStmt" } });
                  }
                  var valid6 = _errs10 === errors;
                } else {
                  var valid6 = true;
                }
                if (valid6) {
                  if (data.stmt !== void 0) {
                    const _errs11 = errors;
                    if (!validate33(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate33.errors : vErrors.concat(validate33.errors);
                      errors = vErrors.length;
                    }
                    var valid6 = _errs11 === errors;
                  } else {
                    var valid6 = true;
                  }
                }
              }
            } else if (tag0 === "AssignVarStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs13 = errors;
                  if ("AssignVarStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "AssignVarStmt" } });
                  }
                  var valid8 = _errs13 === errors;
                } else {
                  var valid8 = true;
                }
                if (valid8) {
                  if (data.stmt !== void 0) {
                    const _errs14 = errors;
                    if (!validate36(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate36.errors : vErrors.concat(validate36.errors);
                      errors = vErrors.length;
                    }
                    var valid8 = _errs14 === errors;
                  } else {
                    var valid8 = true;
                  }
                }
              }
            } else if (tag0 === "BlockStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs16 = errors;
                  if ("BlockStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "BlockStmt" } });
                  }
                  var valid10 = _errs16 === errors;
                } else {
                  var valid10 = true;
                }
                if (valid10) {
                  if (data.stmt !== void 0) {
                    const _errs17 = errors;
                    if (!validate39(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate39.errors : vErrors.concat(validate39.errors);
                      errors = vErrors.length;
                    }
                    var valid10 = _errs17 === errors;
                  } else {
                    var valid10 = true;
                  }
                }
              }
            } else if (tag0 === "BreakStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs19 = errors;
                  if ("BreakStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "BreakStmt" } });
                  }
                  var valid12 = _errs19 === errors;
                } else {
                  var valid12 = true;
                }
                if (valid12) {
                  if (data.stmt !== void 0) {
                    const _errs20 = errors;
                    if (!validate41(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate41.errors : vErrors.concat(validate41.errors);
                      errors = vErrors.length;
                    }
                    var valid12 = _errs20 === errors;
                  } else {
                    var valid12 = true;
                  }
                }
              }
            } else if (tag0 === "CallDynamicStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs22 = errors;
                  if ("CallDynamicStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "CallDynamicStmt" } });
                  }
                  var valid14 = _errs22 === errors;
                } else {
                  var valid14 = true;
                }
                if (valid14) {
                  if (data.stmt !== void 0) {
                    const _errs23 = errors;
                    if (!validate43(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate43.errors : vErrors.concat(validate43.errors);
                      errors = vErrors.length;
                    }
                    var valid14 = _errs23 === errors;
                  } else {
                    var valid14 = true;
                  }
                }
              }
            } else if (tag0 === "CallStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs25 = errors;
                  if ("CallStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "CallStmt" } });
                  }
                  var valid16 = _errs25 === errors;
                } else {
                  var valid16 = true;
                }
                if (valid16) {
                  if (data.stmt !== void 0) {
                    const _errs26 = errors;
                    if (!validate46(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate46.errors : vErrors.concat(validate46.errors);
                      errors = vErrors.length;
                    }
                    var valid16 = _errs26 === errors;
                  } else {
                    var valid16 = true;
                  }
                }
              }
            } else if (tag0 === "DotStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs28 = errors;
                  if ("DotStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "DotStmt" } });
                  }
                  var valid18 = _errs28 === errors;
                } else {
                  var valid18 = true;
                }
                if (valid18) {
                  if (data.stmt !== void 0) {
                    const _errs29 = errors;
                    if (!validate49(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate49.errors : vErrors.concat(validate49.errors);
                      errors = vErrors.length;
                    }
                    var valid18 = _errs29 === errors;
                  } else {
                    var valid18 = true;
                  }
                }
              }
            } else if (tag0 === "EqualStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs31 = errors;
                  if ("EqualStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "EqualStmt" } });
                  }
                  var valid20 = _errs31 === errors;
                } else {
                  var valid20 = true;
                }
                if (valid20) {
                  if (data.stmt !== void 0) {
                    const _errs32 = errors;
                    if (!validate53(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate53.errors : vErrors.concat(validate53.errors);
                      errors = vErrors.length;
                    }
                    var valid20 = _errs32 === errors;
                  } else {
                    var valid20 = true;
                  }
                }
              }
            } else if (tag0 === "IsArrayStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs34 = errors;
                  if ("IsArrayStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "IsArrayStmt" } });
                  }
                  var valid22 = _errs34 === errors;
                } else {
                  var valid22 = true;
                }
                if (valid22) {
                  if (data.stmt !== void 0) {
                    const _errs35 = errors;
                    if (!validate57(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate57.errors : vErrors.concat(validate57.errors);
                      errors = vErrors.length;
                    }
                    var valid22 = _errs35 === errors;
                  } else {
                    var valid22 = true;
                  }
                }
              }
            } else if (tag0 === "IsDefinedStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs37 = errors;
                  if ("IsDefinedStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "IsDefinedStmt" } });
                  }
                  var valid24 = _errs37 === errors;
                } else {
                  var valid24 = true;
                }
                if (valid24) {
                  if (data.stmt !== void 0) {
                    const _errs38 = errors;
                    if (!validate60(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate60.errors : vErrors.concat(validate60.errors);
                      errors = vErrors.length;
                    }
                    var valid24 = _errs38 === errors;
                  } else {
                    var valid24 = true;
                  }
                }
              }
            } else if (tag0 === "IsObjectStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs40 = errors;
                  if ("IsObjectStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "IsObjectStmt" } });
                  }
                  var valid26 = _errs40 === errors;
                } else {
                  var valid26 = true;
                }
                if (valid26) {
                  if (data.stmt !== void 0) {
                    const _errs41 = errors;
                    if (!validate62(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate62.errors : vErrors.concat(validate62.errors);
                      errors = vErrors.length;
                    }
                    var valid26 = _errs41 === errors;
                  } else {
                    var valid26 = true;
                  }
                }
              }
            } else if (tag0 === "IsSetStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs43 = errors;
                  if ("IsSetStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "IsSetStmt" } });
                  }
                  var valid28 = _errs43 === errors;
                } else {
                  var valid28 = true;
                }
                if (valid28) {
                  if (data.stmt !== void 0) {
                    const _errs44 = errors;
                    if (!validate65(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate65.errors : vErrors.concat(validate65.errors);
                      errors = vErrors.length;
                    }
                    var valid28 = _errs44 === errors;
                  } else {
                    var valid28 = true;
                  }
                }
              }
            } else if (tag0 === "IsUndefinedStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs46 = errors;
                  if ("IsUndefinedStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "IsUndefinedStmt" } });
                  }
                  var valid30 = _errs46 === errors;
                } else {
                  var valid30 = true;
                }
                if (valid30) {
                  if (data.stmt !== void 0) {
                    const _errs47 = errors;
                    if (!validate68(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate68.errors : vErrors.concat(validate68.errors);
                      errors = vErrors.length;
                    }
                    var valid30 = _errs47 === errors;
                  } else {
                    var valid30 = true;
                  }
                }
              }
            } else if (tag0 === "LenStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs49 = errors;
                  if ("LenStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "LenStmt" } });
                  }
                  var valid32 = _errs49 === errors;
                } else {
                  var valid32 = true;
                }
                if (valid32) {
                  if (data.stmt !== void 0) {
                    const _errs50 = errors;
                    if (!validate70(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate70.errors : vErrors.concat(validate70.errors);
                      errors = vErrors.length;
                    }
                    var valid32 = _errs50 === errors;
                  } else {
                    var valid32 = true;
                  }
                }
              }
            } else if (tag0 === "MakeArrayStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs52 = errors;
                  if ("MakeArrayStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "MakeArrayStmt" } });
                  }
                  var valid34 = _errs52 === errors;
                } else {
                  var valid34 = true;
                }
                if (valid34) {
                  if (data.stmt !== void 0) {
                    const _errs53 = errors;
                    if (!validate73(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate73.errors : vErrors.concat(validate73.errors);
                      errors = vErrors.length;
                    }
                    var valid34 = _errs53 === errors;
                  } else {
                    var valid34 = true;
                  }
                }
              }
            } else if (tag0 === "MakeNullStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs55 = errors;
                  if ("MakeNullStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "MakeNullStmt" } });
                  }
                  var valid36 = _errs55 === errors;
                } else {
                  var valid36 = true;
                }
                if (valid36) {
                  if (data.stmt !== void 0) {
                    const _errs56 = errors;
                    if (!validate75(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate75.errors : vErrors.concat(validate75.errors);
                      errors = vErrors.length;
                    }
                    var valid36 = _errs56 === errors;
                  } else {
                    var valid36 = true;
                  }
                }
              }
            } else if (tag0 === "MakeNumberIntStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs58 = errors;
                  if ("MakeNumberIntStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "MakeNumberIntStmt" } });
                  }
                  var valid38 = _errs58 === errors;
                } else {
                  var valid38 = true;
                }
                if (valid38) {
                  if (data.stmt !== void 0) {
                    const _errs59 = errors;
                    if (!validate77(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate77.errors : vErrors.concat(validate77.errors);
                      errors = vErrors.length;
                    }
                    var valid38 = _errs59 === errors;
                  } else {
                    var valid38 = true;
                  }
                }
              }
            } else if (tag0 === "MakeNumberRefStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs61 = errors;
                  if ("MakeNumberRefStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "MakeNumberRefStmt" } });
                  }
                  var valid40 = _errs61 === errors;
                } else {
                  var valid40 = true;
                }
                if (valid40) {
                  if (data.stmt !== void 0) {
                    const _errs62 = errors;
                    if (!validate79(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate79.errors : vErrors.concat(validate79.errors);
                      errors = vErrors.length;
                    }
                    var valid40 = _errs62 === errors;
                  } else {
                    var valid40 = true;
                  }
                }
              }
            } else if (tag0 === "MakeObjectStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs64 = errors;
                  if ("MakeObjectStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "MakeObjectStmt" } });
                  }
                  var valid42 = _errs64 === errors;
                } else {
                  var valid42 = true;
                }
                if (valid42) {
                  if (data.stmt !== void 0) {
                    const _errs65 = errors;
                    if (!validate81(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate81.errors : vErrors.concat(validate81.errors);
                      errors = vErrors.length;
                    }
                    var valid42 = _errs65 === errors;
                  } else {
                    var valid42 = true;
                  }
                }
              }
            } else if (tag0 === "MakeSetStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs67 = errors;
                  if ("MakeSetStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "MakeSetStmt" } });
                  }
                  var valid44 = _errs67 === errors;
                } else {
                  var valid44 = true;
                }
                if (valid44) {
                  if (data.stmt !== void 0) {
                    const _errs68 = errors;
                    if (!validate83(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate83.errors : vErrors.concat(validate83.errors);
                      errors = vErrors.length;
                    }
                    var valid44 = _errs68 === errors;
                  } else {
                    var valid44 = true;
                  }
                }
              }
            } else if (tag0 === "NopStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs70 = errors;
                  if ("NopStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "NopStmt" } });
                  }
                  var valid46 = _errs70 === errors;
                } else {
                  var valid46 = true;
                }
                if (valid46) {
                  if (data.stmt !== void 0) {
                    const _errs71 = errors;
                    if (!validate85(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate85.errors : vErrors.concat(validate85.errors);
                      errors = vErrors.length;
                    }
                    var valid46 = _errs71 === errors;
                  } else {
                    var valid46 = true;
                  }
                }
              }
            } else if (tag0 === "NotEqualStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs73 = errors;
                  if ("NotEqualStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "NotEqualStmt" } });
                  }
                  var valid48 = _errs73 === errors;
                } else {
                  var valid48 = true;
                }
                if (valid48) {
                  if (data.stmt !== void 0) {
                    const _errs74 = errors;
                    if (!validate87(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate87.errors : vErrors.concat(validate87.errors);
                      errors = vErrors.length;
                    }
                    var valid48 = _errs74 === errors;
                  } else {
                    var valid48 = true;
                  }
                }
              }
            } else if (tag0 === "NotStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs76 = errors;
                  if ("NotStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "NotStmt" } });
                  }
                  var valid50 = _errs76 === errors;
                } else {
                  var valid50 = true;
                }
                if (valid50) {
                  if (data.stmt !== void 0) {
                    const _errs77 = errors;
                    if (!validate91(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate91.errors : vErrors.concat(validate91.errors);
                      errors = vErrors.length;
                    }
                    var valid50 = _errs77 === errors;
                  } else {
                    var valid50 = true;
                  }
                }
              }
            } else if (tag0 === "ObjectInsertOnceStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs79 = errors;
                  if ("ObjectInsertOnceStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "ObjectInsertOnceStmt" } });
                  }
                  var valid52 = _errs79 === errors;
                } else {
                  var valid52 = true;
                }
                if (valid52) {
                  if (data.stmt !== void 0) {
                    const _errs80 = errors;
                    if (!validate93(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate93.errors : vErrors.concat(validate93.errors);
                      errors = vErrors.length;
                    }
                    var valid52 = _errs80 === errors;
                  } else {
                    var valid52 = true;
                  }
                }
              }
            } else if (tag0 === "ObjectInsertStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs82 = errors;
                  if ("ObjectInsertStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "ObjectInsertStmt" } });
                  }
                  var valid54 = _errs82 === errors;
                } else {
                  var valid54 = true;
                }
                if (valid54) {
                  if (data.stmt !== void 0) {
                    const _errs83 = errors;
                    if (!validate97(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate97.errors : vErrors.concat(validate97.errors);
                      errors = vErrors.length;
                    }
                    var valid54 = _errs83 === errors;
                  } else {
                    var valid54 = true;
                  }
                }
              }
            } else if (tag0 === "ObjectMergeStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs85 = errors;
                  if ("ObjectMergeStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "ObjectMergeStmt" } });
                  }
                  var valid56 = _errs85 === errors;
                } else {
                  var valid56 = true;
                }
                if (valid56) {
                  if (data.stmt !== void 0) {
                    const _errs86 = errors;
                    if (!validate101(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate101.errors : vErrors.concat(validate101.errors);
                      errors = vErrors.length;
                    }
                    var valid56 = _errs86 === errors;
                  } else {
                    var valid56 = true;
                  }
                }
              }
            } else if (tag0 === "ResetLocalStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs88 = errors;
                  if ("ResetLocalStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "ResetLocalStmt" } });
                  }
                  var valid58 = _errs88 === errors;
                } else {
                  var valid58 = true;
                }
                if (valid58) {
                  if (data.stmt !== void 0) {
                    const _errs89 = errors;
                    if (!validate103(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate103.errors : vErrors.concat(validate103.errors);
                      errors = vErrors.length;
                    }
                    var valid58 = _errs89 === errors;
                  } else {
                    var valid58 = true;
                  }
                }
              }
            } else if (tag0 === "ResultSetAddStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs91 = errors;
                  if ("ResultSetAddStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "ResultSetAddStmt" } });
                  }
                  var valid60 = _errs91 === errors;
                } else {
                  var valid60 = true;
                }
                if (valid60) {
                  if (data.stmt !== void 0) {
                    const _errs92 = errors;
                    if (!validate105(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate105.errors : vErrors.concat(validate105.errors);
                      errors = vErrors.length;
                    }
                    var valid60 = _errs92 === errors;
                  } else {
                    var valid60 = true;
                  }
                }
              }
            } else if (tag0 === "ReturnLocalStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs94 = errors;
                  if ("ReturnLocalStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "ReturnLocalStmt" } });
                  }
                  var valid62 = _errs94 === errors;
                } else {
                  var valid62 = true;
                }
                if (valid62) {
                  if (data.stmt !== void 0) {
                    const _errs95 = errors;
                    if (!validate107(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate107.errors : vErrors.concat(validate107.errors);
                      errors = vErrors.length;
                    }
                    var valid62 = _errs95 === errors;
                  } else {
                    var valid62 = true;
                  }
                }
              }
            } else if (tag0 === "ScanStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs97 = errors;
                  if ("ScanStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "ScanStmt" } });
                  }
                  var valid64 = _errs97 === errors;
                } else {
                  var valid64 = true;
                }
                if (valid64) {
                  if (data.stmt !== void 0) {
                    const _errs98 = errors;
                    if (!validate109(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate109.errors : vErrors.concat(validate109.errors);
                      errors = vErrors.length;
                    }
                    var valid64 = _errs98 === errors;
                  } else {
                    var valid64 = true;
                  }
                }
              }
            } else if (tag0 === "SetAddStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs100 = errors;
                  if ("SetAddStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "SetAddStmt" } });
                  }
                  var valid66 = _errs100 === errors;
                } else {
                  var valid66 = true;
                }
                if (valid66) {
                  if (data.stmt !== void 0) {
                    const _errs101 = errors;
                    if (!validate111(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate111.errors : vErrors.concat(validate111.errors);
                      errors = vErrors.length;
                    }
                    var valid66 = _errs101 === errors;
                  } else {
                    var valid66 = true;
                  }
                }
              }
            } else if (tag0 === "WithStmt") {
              if (data && typeof data == "object" && !Array.isArray(data)) {
                if (data.type !== void 0) {
                  const _errs103 = errors;
                  if ("WithStmt" !== data.type) {
                    return fault(validate26, { instancePath: instancePath + "/type", keyword: "const", params: { allowedValue: "WithStmt" } });
                  }
                  var valid68 = _errs103 === errors;
                } else {
                  var valid68 = true;
                }
                if (valid68) {
                  if (data.stmt !== void 0) {
                    const _errs104 = errors;
                    if (!validate114(data.stmt, { instancePath: instancePath + "/stmt", parentData: data, parentDataProperty: "stmt", rootData })) {
                      vErrors = vErrors === null ? validate114.errors : vErrors.concat(validate114.errors);
                      errors = vErrors.length;
                    }
                    var valid68 = _errs104 === errors;
                  } else {
                    var valid68 = true;
                  }
                }
              }
            } else {
              return fault(validate26, { instancePath, keyword: "discriminator", params: { error: "mapping", tag: "type", tagValue: tag0 } });
            }
          } else {
            return fault(validate26, { instancePath, keyword: "discriminator", params: { error: "tag", tag: "type", tagValue: tag0 } });
          }
        }
      }
    } else {
      return fault(validate26, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate26.errors = vErrors;
  return errors === 0;
}
function validate25(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.stmts === void 0 && (missing0 = "stmts")) {
        return fault(validate25, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "stmts")) {
            return fault(validate25, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.stmts !== void 0) {
            let data0 = data.stmts;
            const _errs2 = errors;
            if (errors === _errs2) {
              if (Array.isArray(data0)) {
                var valid1 = true;
                const len0 = data0.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  const _errs4 = errors;
                  if (!validate26(data0[i0], { instancePath: instancePath + "/stmts/" + i0, parentData: data0, parentDataProperty: i0, rootData })) {
                    vErrors = vErrors === null ? validate26.errors : vErrors.concat(validate26.errors);
                    errors = vErrors.length;
                  }
                  var valid1 = _errs4 === errors;
                  if (!valid1) {
                    break;
                  }
                }
              } else {
                return fault(validate25, { instancePath: instancePath + "/stmts", keyword: "type", params: { type: "array" } });
              }
            }
          }
        }
      }
    } else {
      return fault(validate25, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate25.errors = vErrors;
  return errors === 0;
}
function validate24(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.blocks === void 0 && (missing0 = "blocks") || data.name === void 0 && (missing0 = "name") || data.params === void 0 && (missing0 = "params") || data.return === void 0 && (missing0 = "return")) {
        return fault(validate24, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "name" || key0 === "path" || key0 === "params" || key0 === "return" || key0 === "blocks")) {
            return fault(validate24, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.name !== void 0) {
            const _errs2 = errors;
            if (typeof data.name !== "string") {
              return fault(validate24, { instancePath: instancePath + "/name", keyword: "type", params: { type: "string" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.path !== void 0) {
              let data1 = data.path;
              const _errs4 = errors;
              if (errors === _errs4) {
                if (Array.isArray(data1)) {
                  var valid1 = true;
                  const len0 = data1.length;
                  for (let i0 = 0; i0 < len0; i0++) {
                    const _errs6 = errors;
                    if (typeof data1[i0] !== "string") {
                      return fault(validate24, { instancePath: instancePath + "/path/" + i0, keyword: "type", params: { type: "string" } });
                    }
                    var valid1 = _errs6 === errors;
                    if (!valid1) {
                      break;
                    }
                  }
                } else {
                  return fault(validate24, { instancePath: instancePath + "/path", keyword: "type", params: { type: "array" } });
                }
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.params !== void 0) {
                let data3 = data.params;
                const _errs8 = errors;
                if (!Array.isArray(data3) && data3 !== null) {
                  return fault(validate24, { instancePath: instancePath + "/params", keyword: "type", params: { type: schema9.properties.params.type } });
                }
                if (errors === _errs8) {
                  if (Array.isArray(data3)) {
                    var valid2 = true;
                    const len1 = data3.length;
                    for (let i1 = 0; i1 < len1; i1++) {
                      let data4 = data3[i1];
                      const _errs10 = errors;
                      if (!Number.isInteger(data4)) {
                        return fault(validate24, { instancePath: instancePath + "/params/" + i1, keyword: "type", params: { type: "integer" } });
                      }
                      var valid2 = _errs10 === errors;
                      if (!valid2) {
                        break;
                      }
                    }
                  }
                }
                var valid0 = _errs8 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.return !== void 0) {
                  let data5 = data.return;
                  const _errs12 = errors;
                  if (!Number.isInteger(data5)) {
                    return fault(validate24, { instancePath: instancePath + "/return", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs12 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.blocks !== void 0) {
                    let data6 = data.blocks;
                    const _errs14 = errors;
                    if (!Array.isArray(data6) && data6 !== null) {
                      return fault(validate24, { instancePath: instancePath + "/blocks", keyword: "type", params: { type: schema9.properties.blocks.type } });
                    }
                    if (errors === _errs14) {
                      if (Array.isArray(data6)) {
                        var valid3 = true;
                        const len2 = data6.length;
                        for (let i2 = 0; i2 < len2; i2++) {
                          const _errs16 = errors;
                          if (!validate25(data6[i2], { instancePath: instancePath + "/blocks/" + i2, parentData: data6, parentDataProperty: i2, rootData })) {
                            vErrors = vErrors === null ? validate25.errors : vErrors.concat(validate25.errors);
                            errors = vErrors.length;
                          }
                          var valid3 = _errs16 === errors;
                          if (!valid3) {
                            break;
                          }
                        }
                      }
                    }
                    var valid0 = _errs14 === errors;
                  } else {
                    var valid0 = true;
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate24, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate24.errors = vErrors;
  return errors === 0;
}
function validate23(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.funcs === void 0 && (missing0 = "funcs")) {
        return fault(validate23, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "funcs")) {
            return fault(validate23, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.funcs !== void 0) {
            let data0 = data.funcs;
            const _errs2 = errors;
            if (!Array.isArray(data0) && data0 !== null) {
              return fault(validate23, { instancePath: instancePath + "/funcs", keyword: "type", params: { type: schema8.properties.funcs.type } });
            }
            if (errors === _errs2) {
              if (Array.isArray(data0)) {
                var valid1 = true;
                const len0 = data0.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  const _errs4 = errors;
                  if (!validate24(data0[i0], { instancePath: instancePath + "/funcs/" + i0, parentData: data0, parentDataProperty: i0, rootData })) {
                    vErrors = vErrors === null ? validate24.errors : vErrors.concat(validate24.errors);
                    errors = vErrors.length;
                  }
                  var valid1 = _errs4 === errors;
                  if (!valid1) {
                    break;
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate23, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate23.errors = vErrors;
  return errors === 0;
}
const schema47 = { "type": "object", "properties": { "plans": { "type": ["array", "null"], "items": { "$ref": "#/$defs/Plan" } } }, "required": ["plans"], "additionalProperties": false };
const schema48 = { "type": "object", "properties": { "name": { "type": "string" }, "blocks": { "type": ["array", "null"], "items": { "$ref": "#/$defs/Block" } } }, "required": ["blocks", "name"], "additionalProperties": false };
function validate122(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.blocks === void 0 && (missing0 = "blocks") || data.name === void 0 && (missing0 = "name")) {
        return fault(validate122, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "name" || key0 === "blocks")) {
            return fault(validate122, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.name !== void 0) {
            const _errs2 = errors;
            if (typeof data.name !== "string") {
              return fault(validate122, { instancePath: instancePath + "/name", keyword: "type", params: { type: "string" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.blocks !== void 0) {
              let data1 = data.blocks;
              const _errs4 = errors;
              if (!Array.isArray(data1) && data1 !== null) {
                return fault(validate122, { instancePath: instancePath + "/blocks", keyword: "type", params: { type: schema48.properties.blocks.type } });
              }
              if (errors === _errs4) {
                if (Array.isArray(data1)) {
                  var valid1 = true;
                  const len0 = data1.length;
                  for (let i0 = 0; i0 < len0; i0++) {
                    const _errs6 = errors;
                    if (!validate25(data1[i0], { instancePath: instancePath + "/blocks/" + i0, parentData: data1, parentDataProperty: i0, rootData })) {
                      vErrors = vErrors === null ? validate25.errors : vErrors.concat(validate25.errors);
                      errors = vErrors.length;
                    }
                    var valid1 = _errs6 === errors;
                    if (!valid1) {
                      break;
                    }
                  }
                }
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      return fault(validate122, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate122.errors = vErrors;
  return errors === 0;
}
function validate121(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.plans === void 0 && (missing0 = "plans")) {
        return fault(validate121, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "plans")) {
            return fault(validate121, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.plans !== void 0) {
            let data0 = data.plans;
            const _errs2 = errors;
            if (!Array.isArray(data0) && data0 !== null) {
              return fault(validate121, { instancePath: instancePath + "/plans", keyword: "type", params: { type: schema47.properties.plans.type } });
            }
            if (errors === _errs2) {
              if (Array.isArray(data0)) {
                var valid1 = true;
                const len0 = data0.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  const _errs4 = errors;
                  if (!validate122(data0[i0], { instancePath: instancePath + "/plans/" + i0, parentData: data0, parentDataProperty: i0, rootData })) {
                    vErrors = vErrors === null ? validate122.errors : vErrors.concat(validate122.errors);
                    errors = vErrors.length;
                  }
                  var valid1 = _errs4 === errors;
                  if (!valid1) {
                    break;
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate121, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate121.errors = vErrors;
  return errors === 0;
}
const schema50 = { "type": "object", "properties": { "name": { "type": "string" }, "decl": { "type": ["object", "null"], "description": "The built-in's type, as capabilities.json has it; not looked into here." } }, "required": ["decl", "name"], "additionalProperties": false };
function validate127(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.decl === void 0 && (missing0 = "decl") || data.name === void 0 && (missing0 = "name")) {
        return fault(validate127, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "name" || key0 === "decl")) {
            return fault(validate127, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.name !== void 0) {
            const _errs2 = errors;
            if (typeof data.name !== "string") {
              return fault(validate127, { instancePath: instancePath + "/name", keyword: "type", params: { type: "string" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.decl !== void 0) {
              let data1 = data.decl;
              const _errs4 = errors;
              if (!(data1 && typeof data1 == "object" && !Array.isArray(data1)) && data1 !== null) {
                return fault(validate127, { instancePath: instancePath + "/decl", keyword: "type", params: { type: schema50.properties.decl.type } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      return fault(validate127, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate127.errors = vErrors;
  return errors === 0;
}
function validate129(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.value === void 0 && (missing0 = "value")) {
        return fault(validate129, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "value")) {
            return fault(validate129, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.value !== void 0) {
            if (typeof data.value !== "string") {
              return fault(validate129, { instancePath: instancePath + "/value", keyword: "type", params: { type: "string" } });
            }
          }
        }
      }
    } else {
      return fault(validate129, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate129.errors = vErrors;
  return errors === 0;
}
function validate126(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      const _errs1 = errors;
      for (const key0 in data) {
        if (!(key0 === "builtin_funcs" || key0 === "files" || key0 === "strings")) {
          return fault(validate126, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
          break;
        }
      }
      if (_errs1 === errors) {
        if (data.builtin_funcs !== void 0) {
          let data0 = data.builtin_funcs;
          const _errs2 = errors;
          if (errors === _errs2) {
            if (Array.isArray(data0)) {
              var valid1 = true;
              const len0 = data0.length;
              for (let i0 = 0; i0 < len0; i0++) {
                const _errs4 = errors;
                if (!validate127(data0[i0], { instancePath: instancePath + "/builtin_funcs/" + i0, parentData: data0, parentDataProperty: i0, rootData })) {
                  vErrors = vErrors === null ? validate127.errors : vErrors.concat(validate127.errors);
                  errors = vErrors.length;
                }
                var valid1 = _errs4 === errors;
                if (!valid1) {
                  break;
                }
              }
            } else {
              return fault(validate126, { instancePath: instancePath + "/builtin_funcs", keyword: "type", params: { type: "array" } });
            }
          }
          var valid0 = _errs2 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.files !== void 0) {
            let data2 = data.files;
            const _errs5 = errors;
            if (errors === _errs5) {
              if (Array.isArray(data2)) {
                var valid2 = true;
                const len1 = data2.length;
                for (let i1 = 0; i1 < len1; i1++) {
                  const _errs7 = errors;
                  if (!validate129(data2[i1], { instancePath: instancePath + "/files/" + i1, parentData: data2, parentDataProperty: i1, rootData })) {
                    vErrors = vErrors === null ? validate129.errors : vErrors.concat(validate129.errors);
                    errors = vErrors.length;
                  }
                  var valid2 = _errs7 === errors;
                  if (!valid2) {
                    break;
                  }
                }
              } else {
                return fault(validate126, { instancePath: instancePath + "/files", keyword: "type", params: { type: "array" } });
              }
            }
            var valid0 = _errs5 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.strings !== void 0) {
              let data4 = data.strings;
              const _errs8 = errors;
              if (errors === _errs8) {
                if (Array.isArray(data4)) {
                  var valid3 = true;
                  const len2 = data4.length;
                  for (let i2 = 0; i2 < len2; i2++) {
                    const _errs10 = errors;
                    if (!validate129(data4[i2], { instancePath: instancePath + "/strings/" + i2, parentData: data4, parentDataProperty: i2, rootData })) {
                      vErrors = vErrors === null ? validate129.errors : vErrors.concat(validate129.errors);
                      errors = vErrors.length;
                    }
                    var valid3 = _errs10 === errors;
                    if (!valid3) {
                      break;
                    }
                  }
                } else {
                  return fault(validate126, { instancePath: instancePath + "/strings", keyword: "type", params: { type: "array" } });
                }
              }
              var valid0 = _errs8 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      return fault(validate126, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate126.errors = vErrors;
  return errors === 0;
}
function validate134(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.col === void 0 && (missing0 = "col") || data.end_col === void 0 && (missing0 = "end_col") || data.end_row === void 0 && (missing0 = "end_row") || data.file === void 0 && (missing0 = "file") || data.row === void 0 && (missing0 = "row")) {
        return fault(validate134, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "col" || key0 === "end_col" || key0 === "end_row" || key0 === "file" || key0 === "row")) {
            return fault(validate134, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.col !== void 0) {
            let data0 = data.col;
            const _errs2 = errors;
            if (!Number.isInteger(data0)) {
              return fault(validate134, { instancePath: instancePath + "/col", keyword: "type", params: { type: "integer" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.end_col !== void 0) {
              let data1 = data.end_col;
              const _errs4 = errors;
              if (!Number.isInteger(data1)) {
                return fault(validate134, { instancePath: instancePath + "/end_col", keyword: "type", params: { type: "integer" } });
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.end_row !== void 0) {
                let data2 = data.end_row;
                const _errs6 = errors;
                if (!Number.isInteger(data2)) {
                  return fault(validate134, { instancePath: instancePath + "/end_row", keyword: "type", params: { type: "integer" } });
                }
                var valid0 = _errs6 === errors;
              } else {
                var valid0 = true;
              }
              if (valid0) {
                if (data.file !== void 0) {
                  let data3 = data.file;
                  const _errs8 = errors;
                  if (!Number.isInteger(data3)) {
                    return fault(validate134, { instancePath: instancePath + "/file", keyword: "type", params: { type: "integer" } });
                  }
                  var valid0 = _errs8 === errors;
                } else {
                  var valid0 = true;
                }
                if (valid0) {
                  if (data.row !== void 0) {
                    let data4 = data.row;
                    const _errs10 = errors;
                    if (!Number.isInteger(data4)) {
                      return fault(validate134, { instancePath: instancePath + "/row", keyword: "type", params: { type: "integer" } });
                    }
                    var valid0 = _errs10 === errors;
                  } else {
                    var valid0 = true;
                  }
                }
              }
            }
          }
        }
      }
    } else {
      return fault(validate134, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate134.errors = vErrors;
  return errors === 0;
}
function validate133(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.location === void 0 && (missing0 = "location") || data.path === void 0 && (missing0 = "path")) {
        return fault(validate133, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "path" || key0 === "location")) {
            return fault(validate133, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.path !== void 0) {
            const _errs2 = errors;
            if (typeof data.path !== "string") {
              return fault(validate133, { instancePath: instancePath + "/path", keyword: "type", params: { type: "string" } });
            }
            var valid0 = _errs2 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.location !== void 0) {
              let data1 = data.location;
              const _errs4 = errors;
              const _errs5 = errors;
              let valid1 = false;
              const _errs6 = errors;
              if (!validate134(data1, { instancePath: instancePath + "/location", parentData: data, parentDataProperty: "location", rootData })) {
                vErrors = vErrors === null ? validate134.errors : vErrors.concat(validate134.errors);
                errors = vErrors.length;
              }
              var _valid0 = _errs6 === errors;
              valid1 = valid1 || _valid0;
              if (!valid1) {
                const _errs7 = errors;
                if (data1 !== null) {
                  const err0 = { instancePath: instancePath + "/location", keyword: "type", params: { type: "null" } };
                  if (vErrors === null) {
                    vErrors = [err0];
                  } else {
                    vErrors.push(err0);
                  }
                  errors++;
                }
                var _valid0 = _errs7 === errors;
                valid1 = valid1 || _valid0;
              }
              if (!valid1) {
                const err1 = { instancePath: instancePath + "/location", keyword: "anyOf", params: {} };
                if (vErrors === null) {
                  vErrors = [err1];
                } else {
                  vErrors.push(err1);
                }
                errors++;
                validate133.errors = vErrors;
                return false;
              } else {
                errors = _errs5;
                if (vErrors !== null) {
                  if (_errs5) {
                    vErrors.length = _errs5;
                  } else {
                    vErrors = null;
                  }
                }
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
          }
        }
      }
    } else {
      return fault(validate133, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate133.errors = vErrors;
  return errors === 0;
}
function validate22(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      const _errs1 = errors;
      for (const key0 in data) {
        if (!(key0 === "funcs" || key0 === "plans" || key0 === "static" || key0 === "unplanned_rules")) {
          return fault(validate22, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
          break;
        }
      }
      if (_errs1 === errors) {
        if (data.funcs !== void 0) {
          const _errs2 = errors;
          if (!validate23(data.funcs, { instancePath: instancePath + "/funcs", parentData: data, parentDataProperty: "funcs", rootData })) {
            vErrors = vErrors === null ? validate23.errors : vErrors.concat(validate23.errors);
            errors = vErrors.length;
          }
          var valid0 = _errs2 === errors;
        } else {
          var valid0 = true;
        }
        if (valid0) {
          if (data.plans !== void 0) {
            const _errs3 = errors;
            if (!validate121(data.plans, { instancePath: instancePath + "/plans", parentData: data, parentDataProperty: "plans", rootData })) {
              vErrors = vErrors === null ? validate121.errors : vErrors.concat(validate121.errors);
              errors = vErrors.length;
            }
            var valid0 = _errs3 === errors;
          } else {
            var valid0 = true;
          }
          if (valid0) {
            if (data.static !== void 0) {
              const _errs4 = errors;
              if (!validate126(data.static, { instancePath: instancePath + "/static", parentData: data, parentDataProperty: "static", rootData })) {
                vErrors = vErrors === null ? validate126.errors : vErrors.concat(validate126.errors);
                errors = vErrors.length;
              }
              var valid0 = _errs4 === errors;
            } else {
              var valid0 = true;
            }
            if (valid0) {
              if (data.unplanned_rules !== void 0) {
                let data3 = data.unplanned_rules;
                const _errs5 = errors;
                if (errors === _errs5) {
                  if (Array.isArray(data3)) {
                    var valid1 = true;
                    const len0 = data3.length;
                    for (let i0 = 0; i0 < len0; i0++) {
                      const _errs7 = errors;
                      if (!validate133(data3[i0], { instancePath: instancePath + "/unplanned_rules/" + i0, parentData: data3, parentDataProperty: i0, rootData })) {
                        vErrors = vErrors === null ? validate133.errors : vErrors.concat(validate133.errors);
                        errors = vErrors.length;
                      }
                      var valid1 = _errs7 === errors;
                      if (!valid1) {
                        break;
                      }
                    }
                  } else {
                    return fault(validate22, { instancePath: instancePath + "/unplanned_rules", keyword: "type", params: { type: "array" } });
                  }
                }
                var valid0 = _errs5 === errors;
              } else {
                var valid0 = true;
              }
            }
          }
        }
      }
    } else {
      return fault(validate22, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate22.errors = vErrors;
  return errors === 0;
}
function validate21(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  ;
  let vErrors = null;
  let errors = 0;
  if (!validate22(data, { instancePath, parentData, parentDataProperty, rootData })) {
    vErrors = vErrors === null ? validate22.errors : vErrors.concat(validate22.errors);
    errors = vErrors.length;
  }
  validate21.errors = vErrors;
  return errors === 0;
}
const validateBlock = validate138;
function validate138(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (errors === 0) {
    if (data && typeof data == "object" && !Array.isArray(data)) {
      let missing0;
      if (data.stmts === void 0 && (missing0 = "stmts")) {
        return fault(validate138, { instancePath, keyword: "required", params: { missingProperty: missing0 } });
      } else {
        const _errs1 = errors;
        for (const key0 in data) {
          if (!(key0 === "stmts")) {
            return fault(validate138, { instancePath, keyword: "additionalProperties", params: { additionalProperty: key0 } });
            break;
          }
        }
        if (_errs1 === errors) {
          if (data.stmts !== void 0) {
            let data0 = data.stmts;
            const _errs2 = errors;
            if (errors === _errs2) {
              if (Array.isArray(data0)) {
                var valid1 = true;
                const len0 = data0.length;
                for (let i0 = 0; i0 < len0; i0++) {
                  const _errs4 = errors;
                  if (!validate26(data0[i0], { instancePath: instancePath + "/stmts/" + i0, parentData: data0, parentDataProperty: i0, rootData })) {
                    vErrors = vErrors === null ? validate26.errors : vErrors.concat(validate26.errors);
                    errors = vErrors.length;
                  }
                  var valid1 = _errs4 === errors;
                  if (!valid1) {
                    break;
                  }
                }
              } else {
                return fault(validate138, { instancePath: instancePath + "/stmts", keyword: "type", params: { type: "array" } });
              }
            }
          }
        }
      }
    } else {
      return fault(validate138, { instancePath, keyword: "type", params: { type: "object" } });
    }
  }
  validate138.errors = vErrors;
  return errors === 0;
}
function fault(validator, error) {
  validator.errors = [error];
  return false;
}
export {
  validate,
  validateBlock
};

