# convert.jq - relational order-entry tables to items of the single-table design
#
#   jq -c -f convert.jq relational.json | itemctl -s STORE import hroe
#
# In:  one object with the tables Person, Employment, Order, Order_Items, Inventory, ... (README.md lists them).
# Out: one item per line: ten entity types and their edges, with PK, SK, GSI1_SK and, on orders and order items, GSI2_PK.
# README.md lists the origin of each attribute, and the decisions where the tables are silent.

def blank: . == null or . == "";
def day: .[0:10];
def quarter: "\(.[0:4])-Q\((((.[5:7] | tonumber) - 1) / 3 | floor) + 1)";
def padded: (floor | tostring) | ("0000000000"[length:]) + .;

# Replaces the random number of write sharding, so that the bucket is the same every time.
def bucket: reduce explode[] as $ch (7; (. * 31 + $ch) % 65521) % 15;
def sharded: . + {GSI2_PK: ("\(.PK)/\(.SK)" | bucket)};

# An attribute whose source is empty is left out: DynamoDB items have no empty columns.
def compact: with_entries(select(.value | blank | not));

# There is no table of regions: they are derived from the country's code.
def region:
  {US: ["NA", "North America"], CA: ["NA", "North America"], MX: ["NA", "North America"],
   CN: ["APAC", "Asia and Pacific"], JP: ["APAC", "Asia and Pacific"], IN: ["APAC", "Asia and Pacific"],
   DE: ["EMEA", "Europe, Middle East and Africa"], FR: ["EMEA", "Europe, Middle East and Africa"],
   GB: ["EMEA", "Europe, Middle East and Africa"]}[.Country_Code]
  // ["OTHER", "Other countries"];

def person_name: [.First_name, .Middle_names, .Last_name] | map(select(blank | not)) | join(" ");
def place: "\(.State | ascii_upcase)|\(.City | ascii_upcase)";
# The second-to-last word of a title such as "Senior Sales Manager" names the department.
def department: split(" ") | if length > 1 then .[-2] else .[0] end;
def code: ascii_upcase | gsub("[^A-Z0-9]+"; "-");

INDEX(.Person[]; .Person_ID) as $person
| INDEX(.Location[]; .Location_ID) as $location
| INDEX(.Country[]; .Country_ID) as $country
| INDEX(.Employment_Jobs[]; .HR_Job_ID) as $job
| INDEX(.Product[]; .Product_ID) as $product
| INDEX(.Warehouse[]; .Warehouse_ID) as $warehouse
| INDEX(.Customer_Employee[]; .Customer_Employee_ID) as $customer_employee
| INDEX(.Customer_Company[]; .Company_ID) as $company
| INDEX(.Order[]; .Order_ID) as $order
| INDEX(.Person_Location[]; .Persons_Person_ID) as $person_location
| INDEX(.Phone_Number[]; .Locations_Location_ID) as $phone
| (.Restricted_info | group_by(.Person_ID) | INDEX(.[0].Person_ID) | map_values(min_by(.Hire_Date))) as $restricted
# Each person is one employee: employments are the jobs held; the employee's number is the smallest employment number.
| (.Employment | group_by(.Person_ID) | map({key: (.[0].Person_ID | tostring), value: (map(.Employee_ID) | min)}) | from_entries) as $employee_of_person
| (.Employment | map({key: (.Employee_ID | tostring), value: $employee_of_person[.Person_ID | tostring]}) | from_entries) as $employee
| (.Warehouse | group_by(.Location_ID) | map({key: (.[0].Location_ID | tostring), value: .}) | from_entries) as $warehouses_at
| def employee_id: "EMPLOYEE\($employee[tostring] // .)";
  def country_of: $country[$location[tostring].Country_ID | tostring];
  def departments: [$job[].Job_Title | department] | unique;
  def department_id: . as $name | "DEPARTMENT\((departments | index($name)) + 1)";

# --- human resources: entities
  ([.Country[] | region] | unique | to_entries[]
    | {PK: "HR-REGION\(.key + 1)", SK: .value[0], GSI1_SK: .value[1], RegionName: .value[1]}),
  (([.Country[] | region] | unique) as $regions
    | .Country[]
    | region as $r
    | {PK: "HR-COUNTRY\(.Country_ID)", SK: .Country_Name, GSI1_SK: .Country_Code,
       RegionID: "REGION\(($regions | index([$r])) + 1)", CurrencyCode: .Currency_Code}),
  (.Location[]
    | $phone[.Location_ID | tostring] as $p
    | {PK: "HR-LOCATION\(.Location_ID)", SK: $country[.Country_ID | tostring].Country_Name,
       GSI1_SK: "\(.City), \(.State)", Address: .Address_Line_1, Address2: .Address_Line_2, City,
       StateProvince: .State, PostalCode: .Postal_code, LocationCode: place,
       ShippingNotes: .Shipping_notes, Phone: (if $p then "+\($p.Country_code) \($p.Phone_number)" else null end)}
    | compact),
  (.Employment_Jobs[]
    | {PK: "HR-JOB\(.HR_Job_ID)", SK: .Job_Title, GSI1_SK: "J-\(.HR_Job_ID)",
       MinSalary: .Min_Salary, MaxSalary: .Max_Salary}),
  ((.Employment | map(select(.End_Date | blank))) as $current
    | departments[] | . as $name
    | ([$current[] | select($job[.HR_Job_ID | tostring].Job_Title | department == $name) | .Employee_ID] | min) as $manager
    | {PK: "HR-\(department_id)", SK: $name, GSI1_SK: code,
       ManagerID: (if $manager then ($manager | employee_id) else null end)}
    | compact),

# --- human resources: employees and their edges
  (.Employment | group_by(.Person_ID)[]
    | sort_by(.Start_Date) as $jobs
    | ($jobs | map(select(.End_Date | blank)) | last // $jobs[-1]) as $now
    | $person[$now.Person_ID | tostring] as $who
    | ($who | person_name) as $name
    | ($now.Employee_ID | employee_id) as $id
    | ("HR-" + $id) as $pk
    | ($person_location[$now.Person_ID | tostring]) as $at
    | $job[$now.HR_Job_ID | tostring] as $current_job
    | ({PK: $pk, SK: $name, GSI1_SK: $id, Gender: $who.Gender,
        JobID: "JOB\($now.HR_Job_ID)", DepartmentID: ($current_job.Job_Title | department | department_id),
        ManagerID: (if $now.Manager_Employee_ID | blank then null else ($now.Manager_Employee_ID | employee_id) end)}
       | compact),
      ($restricted[$now.Person_ID | tostring]
        | select(.)
        | {PK: $pk, SK: "HR-CONFIDENTIAL", GSI1_SK: (.Hire_Date | day), EmployeeName: $name,
           Salary: $now.Salary, CommissionPct: $now.Commision_Percent, DateOfBirth: (.Date_of_Birth | day),
           GovernmentID: .Government_ID, PassportID: .Passport_ID}
        | compact),
      # A job held twice is one edge, of the later employment.
      ($jobs | group_by([(.End_Date | blank), .HR_Job_ID])[] | last
        | $job[.HR_Job_ID | tostring].Job_Title as $title
        | {PK: $pk, SK: "\(if .End_Date | blank then "J" else "JH" end)-\(.HR_Job_ID)", GSI1_SK: $title,
           EmployeeName: $name, StartDate: (.Start_Date | day),
           EndDate: (if .End_Date | blank then null else (.End_Date | day) end)}
        | compact),
      (select($at)
        | {PK: $pk, SK: ($location[$at.Locations_Location_ID | tostring] | place), GSI1_SK: $at.Sub_Address,
           EmployeeName: $name},
          # An employee whose location is that of a warehouse works in it.
          ($warehouses_at[$at.Locations_Location_ID | tostring] // [] | .[]
            | {PK: $pk, SK: "WAREHOUSE\(.Warehouse_ID)", GSI1_SK: $at.Sub_Address, EmployeeName: $name}))),
  (.Order
    | map({rep: (.Sales_Rep_ID | employee_id), quarter: (.Order_Date | quarter), Order_Total})
    | group_by([.rep, .quarter])[]
    | (map(.Order_Total) | add) as $total
    | {PK: "HR-\(.[0].rep)", SK: .[0].quarter, GSI1_SK: ($total | padded), OrderTotal: $total}),

# --- order entry
  (.Customer[]
    | $customer_employee[.Customer_Employee_ID | tostring] as $contact
    | {PK: "OE-CUSTOMER\(.Customer_ID)", SK: (.AccountMgr_ID | employee_id),
       GSI1_SK: ($person[.Person_ID | tostring] | person_name), IncomeLevel: .Income_level,
       Company: (if $contact then $company[$contact.Company_ID | tostring].Company_Name else null end),
       CreditLimit: $contact.Credit_Limit, JobTitle: $contact.Job_Title}
    | compact),
  (.Order[]
    | {PK: "OE-ORDER\(.Order_ID)", SK: null, GSI1_SK: "\(.Order_Status)#\(.Order_Date | day)"} as $edge
    | ($edge + {SK: "CUSTOMER\(.Customer_ID)", SalesRepID: (.Sales_Rep_ID | employee_id), OrderTotal: .Order_Total,
                OrderDate: .Order_Date, Currency: .Order_Currency, PromotionCode: .Promotion_Code}
       | compact | sharded),
      ($edge + {SK: (.Sales_Rep_ID | employee_id), CustomerID: "CUSTOMER\(.Customer_ID)", OrderTotal: .Order_Total})),
  # Two lines of one order for one product have the same key: they become one item with both lines.
  (.Order_Items | group_by([.Order_ID, .Product_ID])[]
    | $order[.[0].Order_ID | tostring] as $o
    | {PK: "OE-ORDER\(.[0].Order_ID)", SK: "PRODUCT\(.[0].Product_ID)",
       GSI1_SK: "\($o.Order_Status)#\($o.Order_Date | day)",
       OrderQuantity: (map(.Quantity) | add), UnitPrice: .[0].Unit_Price}
      + (if length > 1 then {Lines: map({Quantity, UnitPrice: .Unit_Price})} else {} end)
    | compact | sharded),
  (.Warehouse[]
    | {PK: "OE-WAREHOUSE\(.Warehouse_ID)", SK: (.Location_ID | country_of | region[0]),
       GSI1_SK: .Warehouse_Name, Location: "LOCATION\(.Location_ID)"}),
  (.Product[]
    | {PK: "OE-PRODUCT\(.Product_ID)", SK: .Product_Name, GSI1_SK: "PRODUCT\(.Product_ID)",
       CategoryID: .Category, Description}
    | compact),
  (.Inventory | group_by(.Product_ID)[]
    | "OE-PRODUCT\(.[0].Product_ID)" as $pk
    | $product[.[0].Product_ID | tostring].Product_Name as $name
    | ({PK: $pk, SK: $pk[3:], GSI1_SK: $name, TotalOnHand: (map(.Quantity_on_Hand) | add)}
       + (map({key: "WAREHOUSE\(.Warehouse_ID)", value: .Quantity_on_Hand}) | from_entries)),
      # No GSI1_SK: WAREHOUSEn in GSI1 contains only employees.
      (.[] | {PK: $pk, SK: "WAREHOUSE\(.Warehouse_ID)", QuantityOnHand: .Quantity_on_Hand,
              QuantityAvailable: .Quantity_Available}),
      # There are no translations in the tables: the regions are those that stock the product.
      (map($warehouse[.Warehouse_ID | tostring].Location_ID | country_of | region) | unique[]
        | {PK: $pk, SK: .[0], GSI1_SK: .[1], TranslatedName: $name}))
